import type { FastifyInstance } from 'fastify';
import { drawIdenticon } from './identicon.ts';

/** The widths of pictures whose height is 32. */
const WIDTHS = { avatars: 32, badges: 32, headers: 128 };

/** Serves the pictures of demo profiles and badges, drawn from their file names, so that a demo needs no other host. */
export function registerDemoPictures(app: FastifyInstance): void {
  for (const [kind, width] of Object.entries(WIDTHS)) {
    app.get(`/demo/${kind}/:file`, { schema: { hide: true } }, async (request, reply) => {
      // Safe: the route has this parameter.
      const { file } = request.params as { file: string };
      return reply
        .header('cache-control', 'public, max-age=86400')
        .type('image/svg+xml')
        .send(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 32">${drawIdenticon(file, width)}</svg>`);
    });
  }
}
