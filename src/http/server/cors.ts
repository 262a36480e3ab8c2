import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { INCOMPLETE } from './incomplete.ts';

const EXPOSED_HEADERS = `ETag, Link, X-Cache, ${INCOMPLETE}, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset`;

/** For error responses that are sent before any hook runs. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
};

/** Responses are public: every origin may read them, and send any header. */
export async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    methods: 'GET, HEAD, POST, OPTIONS',
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: 86_400,
    // Answers any OPTIONS request with 204, preflight or not.
    strictPreflight: false,
  });
}
