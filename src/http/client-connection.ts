import type { FastifyReply, FastifyRequest } from 'fastify';

/** Whether the client of a waiting request is connected; unknown until a probe is answered. */
export type ConnectionState = 'connected' | 'unknown' | 'gone';

/** The connection of a request that waits for its turn. */
export interface ClientConnection {
  /** When the request began to wait, as of `performance.now()`. */
  readonly since: number;
  state(): ConnectionState;
}

/** Requests that have waited less are not probed: they are answered sooner than a probe is. */
export const PROBE_AFTER_MS = 100;
/** How long a probe may take: it is answered within a round trip. */
const PROBE_MS = 100;

/**
 * A FIN does not show whether the client closed its connection or only finished sending. An interim response (102) is
 * the probe: a closed connection answers it with a reset.
 */
export function connectionOf({ raw }: FastifyRequest, reply: FastifyReply): ClientConnection {
  const { socket } = raw;
  const since = performance.now();
  let probedAt: number | null = null;
  return {
    since,
    state() {
      if (socket.destroyed) return 'gone';
      if (!socket.readableEnded || raw.httpVersion !== '1.1') return 'connected';
      const now = performance.now();
      if (now - since < PROBE_AFTER_MS) return 'connected';
      if (probedAt === null) {
        probedAt = now;
        reply.raw.writeProcessing();
      }
      return now - probedAt < PROBE_MS ? 'unknown' : 'connected';
    },
  };
}
