import { type Address, type Hex, parseHex } from '../../protocol/hex.ts';
import { parseJson } from '../../remote/fetch-answer.ts';
import { type GuardedFetch, type GuardedResponse, TIMEOUT_MS } from '../../remote/guarded-fetch.ts';
import { RemoteError, type RemoteFault } from '../../remote/remote-error.ts';

/** A CCIP-read request: what a contract needs from one of its gateways (EIP-3668). */
export interface CcipRequest {
  readonly sender: Address;
  readonly data: Hex;
  readonly urls: readonly string[];
}

export type CcipGateway = ReturnType<typeof createCcipGateway>;

export class GatewayError extends RemoteError {
  override name = 'GatewayError';
  /** Is reported to the contract. */
  readonly status: number | undefined;

  constructor(host: string, fault: RemoteFault) {
    super(host, 'gateway', fault);
    this.status = fault.kind === 'http' ? fault.status : undefined;
  }
}

/** Contracts list one or two. */
const MAX_URLS = 4;
/** Lookups that use one host at the same time: a host that hangs must not occupy all of them. */
const MAX_LOOKUPS_PER_HOST = 16;
/** In characters. Contract and call data are those of a stranger, so lengths are checked before anything is expanded. */
const MAX_TEMPLATE = 2_048;
/** What servers accept in a request line, or a little more. */
const MAX_URL = 16_384;
/** Many times the call data of a name with all of its records. */
const MAX_CALL_DATA = 131_072;

export interface CcipGatewayOptions {
  readonly fetch: GuardedFetch;
  /** For all URLs of a request together. */
  readonly timeoutMs?: number;
  /** Called for each failed request. */
  readonly onFailure?: (error: GatewayError) => void;
}

export function createCcipGateway({ fetch, timeoutMs = TIMEOUT_MS, onFailure }: CcipGatewayOptions) {
  /** Lookups by the host that they use. */
  const lookups = new Map<string, number>();
  const count = (host: string, change: number) => {
    const left = (lookups.get(host) ?? 0) + change;
    if (left === 0) lookups.delete(host);
    else lookups.set(host, left);
  };

  return {
    /** For the requests of one lookup. */
    open() {
      const used = new Set<string>();
      function use(host: string): void {
        if (used.has(host)) return;
        if ((lookups.get(host) ?? 0) >= MAX_LOOKUPS_PER_HOST) {
          throw new GatewayError(host, { kind: 'unreachable', message: 'too many lookups wait for this gateway' });
        }
        used.add(host);
        count(host, 1);
      }

      async function fetchFrom(template: string, { sender, data: callData }: CcipRequest, left: number): Promise<Hex> {
        const url = expand(template, sender, callData);
        const host = hostOf(url);
        const body = template.includes('{data}') ? undefined : JSON.stringify({ data: callData, sender });
        if (!isDataUrl(template)) use(host);
        const { status, text } = isDataUrl(template) ? await readDataUrl(url) : await fetch(url, body, left);
        if (status < 200 || status >= 300) throw new GatewayError(host, { kind: 'http', status, retryAfterMs: null });
        const data = parseResponse(text);
        if (data === null) throw new GatewayError(host, { kind: 'malformed', message: 'no hex data in the response' });
        return data;
      }

      return {
        /** Sends a CCIP-read request to the gateways in turn. Throws a `GatewayError` if all of them fail. */
        async send(request: CcipRequest): Promise<Hex> {
          const deadline = performance.now() + timeoutMs;
          let last = new GatewayError('a contract', {
            kind: 'malformed',
            message: 'the contract lists no gateway URL',
          });
          for (const template of request.urls.slice(0, MAX_URLS)) {
            const left = deadline - performance.now();
            if (left <= 0) break;
            try {
              return await fetchFrom(template, request, left);
            } catch (error) {
              last = asGatewayError(template, error);
              onFailure?.(last);
              // EIP-3668: a 4xx response is final, the other gateways must not be tried.
              if (last.status !== undefined && last.status >= 400 && last.status < 500) break;
            }
          }
          throw last;
        },
        close(): void {
          for (const host of used) count(host, -1);
          used.clear();
        },
      };
    },
  };
}

function expand(template: string, sender: Address, callData: Hex): string {
  const refuse = (message: string): never => {
    throw new GatewayError('a gateway', { kind: 'malformed', message });
  };
  if (template.length > MAX_TEMPLATE) return refuse(`a URL of more than ${MAX_TEMPLATE} characters`);
  if (callData.length > MAX_CALL_DATA) return refuse(`call data of more than ${MAX_CALL_DATA} characters`);
  const senders = template.split('{sender}').length - 1;
  const datas = template.split('{data}').length - 1;
  if (template.length + senders * sender.length + datas * callData.length > MAX_URL) {
    return refuse(`a URL of more than ${MAX_URL} characters with its call data`);
  }
  return template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', callData);
}

const isDataUrl = (template: string) => /^data:/i.test(template);

/** The global fetch decodes a `data:` URL without the network. */
async function readDataUrl(url: string): Promise<GuardedResponse> {
  try {
    const response = await globalThis.fetch(url);
    return { status: response.status, text: await response.text() };
  } catch {
    throw new GatewayError('a gateway', { kind: 'malformed', message: 'an invalid data URL' });
  }
}

/** JSON with a `data` field, or the bare hex data. */
function parseResponse(text: string): Hex | null {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null && 'data' in json ? parseHex(json.data) : parseHex(text.trim());
}

function asGatewayError(template: string, error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof RemoteError) return new GatewayError(hostOf(template), error.fault);
  throw error;
}

function hostOf(template: string): string {
  return (URL.canParse(template) && new URL(template).host) || 'a gateway';
}
