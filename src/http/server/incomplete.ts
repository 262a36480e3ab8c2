import type { FastifyInstance } from 'fastify';
import type { Lookups } from '../../lookup/lookups.ts';

export const INCOMPLETE = 'Kith-Incomplete';

/** Marks responses until the first load is complete. From then on, nothing is read. */
export function registerIncomplete(app: FastifyInstance, isLoaded: Lookups['isLoaded']): void {
  let isComplete = false;
  app.addHook('onRequest', (_request, reply, done) => {
    if (isComplete) return done();
    isLoaded().then((loaded) => {
      isComplete = loaded;
      if (!loaded) reply.header(INCOMPLETE, 'loading');
      done();
    }, done);
  });
}
