import http from 'node:http';

export interface Answer {
  /** 0 if the connection failed or the request timed out. */
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

interface RequestOptions {
  /** Without an agent, each request has a new connection. */
  readonly agent?: http.Agent;
  readonly timeoutMs?: number;
}

/** Sends a GET request. Never rejects. */
export function request(port: number, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { agent, timeoutMs = 30_000 } = options;
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, body: string) => {
      clearTimeout(timer);
      resolve({ status, body, ms: performance.now() - began });
    };
    const sent = http.get({ host: '127.0.0.1', port, path, agent: agent ?? false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      response.on('end', () => end(response.statusCode ?? 0, body));
      response.on('error', (error) => end(0, error.message));
    });
    sent.on('error', (error) => end(0, error.message));
    const timer = setTimeout(() => {
      end(0, `no answer after ${timeoutMs} ms`);
      sent.destroy();
    }, timeoutMs);
  });
}

/** Sends a GET request, and counts the bytes of its body instead of keeping them. Never rejects. */
export function drain(port: number, path: string): Promise<{ status: number; bytes: number; ms: number }> {
  const began = performance.now();
  return new Promise((resolve) => {
    let bytes = 0;
    const end = (status: number) => resolve({ status, bytes, ms: performance.now() - began });
    const sent = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => end(response.statusCode ?? 0));
      response.on('error', () => end(0));
    });
    sent.on('error', () => end(0));
  });
}

export const createAgent = () => new http.Agent({ keepAlive: true });
