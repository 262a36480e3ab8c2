import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyReply } from 'fastify';

/** Serialises a value with its schema, which Fastify compiles once. */
export function serialise<S extends TSchema>(reply: FastifyReply, value: Static<S>, schema: S): string {
  // Safe: the declared types of Fastify admit objects only, but a schema may be of any JSON value.
  return reply.serializeInput(value as Record<string, unknown>, schema as object as Record<string, unknown>);
}
