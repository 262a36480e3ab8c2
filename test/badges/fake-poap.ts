import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Handles one request. */
export type Reply = (response: ServerResponse, received: ReceivedRequest) => void;

export interface ReceivedRequest {
  readonly path: string;
  readonly address: string;
  readonly eventId: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A fake of the POAP API. */
export interface FakePoap {
  readonly url: string;
  readonly host: string;
  /** Requests received. */
  readonly requests: ReceivedRequest[];
  /** The request handler; may be replaced at any time. */
  reply: (received: ReceivedRequest) => Reply;
  /** Holds responses until the returned function is called. */
  hold(): () => void;
  stop(): Promise<void>;
}

export async function startFakePoap(): Promise<FakePoap> {
  let gate: Promise<void> = Promise.resolve();
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const [eventId = '', address = ''] = path.split('/').reverse();
    const received = { path, address, eventId, headers: request.headers };
    poap.requests.push(received);
    await gate;
    poap.reply(received)(response, received);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a TCP port, so the address is not a pipe name.
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const poap: FakePoap = {
    url: `http://${host}`,
    host,
    requests: [],
    reply: () => notHeld,
    hold() {
      let release: (() => void) | undefined;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release?.();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return poap;
}

const send = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(JSON.stringify(body));

/** A badge in the format of the API: with unknown event fields, and a checksummed owner. */
export function badgeBody({ address, eventId }: Pick<ReceivedRequest, 'address' | 'eventId'>, tokenId = '7000001') {
  return {
    event: {
      id: Number(eventId),
      fancy_id: `event-${eventId}-2024`,
      name: `Event ${eventId}`,
      event_url: 'https://event.example',
      image_url: `https://img.example/${eventId}.png`,
      country: '',
      city: '',
      description: 'Who was there, has it.',
      year: 2024,
      start_date: '01-Oct-2024',
      end_date: '02-Oct-2024',
      expiry_date: '01-Nov-2024',
      from_admin: false,
      virtual_event: true,
      event_template_id: 0,
      private_event: false,
      supply: 412,
    },
    tokenId,
    owner: `0x${address.slice(2).toUpperCase()}`,
    layer: 'Layer2',
    chain: 'xdai',
    created: '2024-10-03 09:12:44',
    migrated: null,
    supply: { total: 412, order: 17 },
  };
}

export const held =
  (tokenId?: string): Reply =>
  (response, received) =>
    send(response, 200, badgeBody(received, tokenId));

/** The error format of the API: status, status name and a message. */
export const notHeld: Reply = (response) =>
  send(response, 404, { statusCode: 404, error: 'Not Found', message: 'The address does not own this badge' });

/** The API gateway that checks keys. It returns the key in its message, to test redaction. */
export const forbidden =
  (status: number): Reply =>
  (response, { headers }) =>
    send(response, status, { message: 'Forbidden', key: headers['x-api-key'] });

export const tooMany =
  (retryAfter?: string): Reply =>
  (response) =>
    send(
      response,
      429,
      { message: 'Too Many Requests' },
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    );

/** The HTML page of a proxy. */
export const page =
  (status: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(`<h1>${status}</h1>`);

export const body =
  (status: number, content: unknown): Reply =>
  (response) =>
    send(response, status, content);

export const text =
  (status: number, content: string): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(content);

export const dropped: Reply = (response) => response.destroy();

export const silent: Reply = () => undefined;
