import type { FastifyReply } from 'fastify';
import type { EventStream, Sink } from '../../live/event-stream.ts';

/** Writes the response of an event stream. Its body has no length and no end of its own, so Fastify does not send it. */
export function createResponseSink(reply: FastifyReply): { sink: Sink; attach: (stream: EventStream) => void } {
  reply.hijack();
  const { raw } = reply;
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
  raw.writeHead(200);
  // The client knows that the stream is open before there is an event.
  raw.flushHeaders();
  return {
    sink: {
      write: (chunk) => void raw.write(chunk),
      buffered: () => raw.writableLength,
      end: () => void raw.end(),
      destroy: () => void raw.destroy(),
    },
    attach(stream) {
      raw.on('drain', () => stream.drained());
      raw.on('error', () => stream.end('client-gone'));
      raw.on('close', () => stream.end('client-gone'));
      if (raw.destroyed) stream.end('client-gone');
    },
  };
}
