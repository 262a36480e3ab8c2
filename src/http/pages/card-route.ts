import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { HttpProblem } from '../problems.ts';
import { createHeavyLane } from '../server/heavy-lane.ts';
import { matchesEtag } from '../server/matches-etag.ts';
import { drawCard } from './card.ts';
import { createCardThread } from './card-thread.ts';
import { askDetails } from './page-details.ts';

/** Some hundred pictures. */
const CACHE_BYTES = 4 * 2 ** 20;

/** Serves a picture of each account, for previews of links to its page. They are drawn one after another. */
export function registerCards(app: FastifyInstance): void {
  const thread = createCardThread();
  app.addHook('onClose', thread.stop);
  const lane = createHeavyLane(1);
  // By what is drawn, so that a new data version does not draw it again.
  const drawn = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: (png) => png.length });

  const draw = async (etag: string, svg: string): Promise<Buffer> => {
    const png = await thread.render(svg);
    drawn.set(etag, png);
    return png;
  };

  app.get('/account/:id/image.png', { schema: { hide: true }, compress: false }, async (request, reply) => {
    // Safe: the route has this parameter.
    const { id } = request.params as { id: string };
    const answer = await askDetails(request, { kind: 'account', id });
    if ('problem' in answer) throw problemOf(answer);
    // Services that show previews keep a picture for days.
    if (answer.isIncomplete) throw new HttpProblem('unavailable', 'the graph is being loaded for the first time');
    const svg = drawCard(answer.details);
    const etag = `"${createHash('sha1').update(svg).digest('base64url')}"`;
    const headers = { etag, 'cache-control': 'no-cache' };
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
    // Another request for the same picture may have been answered while this one waited.
    const load = async () => drawn.get(etag) ?? draw(etag, svg);
    const png = drawn.get(etag) ?? (await lane.run(request.socket, load));
    return reply.headers(headers).type('image/png').send(png);
  });
}

type Failed = Extract<Awaited<ReturnType<typeof askDetails>>, { problem: unknown }>;

function problemOf({ problem: { code, detail }, headers }: Failed): HttpProblem {
  const retryAfter = headers['retry-after'];
  return new HttpProblem(code, detail, retryAfter ? { headers: { 'retry-after': String(retryAfter) } } : {});
}
