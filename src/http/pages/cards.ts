import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createWorkerClient, type WorkerClient } from '../../async/worker-calls.ts';
import { shortAddress } from '../../protocol/hex.ts';
import { HttpProblem } from '../problems.ts';
import { matchesEtag } from '../request/response-cache.ts';
import { createRequestQueue } from '../server/limits.ts';
import { canDraw } from './card-fonts.ts';
import { drawIdenticon } from './identicon.ts';
import { askDetails, type Details, escapeText, numbersOf } from './page-head.ts';
import { createProfilePictures, type FetchPicture } from './profile-pictures.ts';

/** Some hundred pictures. */
const CACHE_BYTES = 4 * 2 ** 20;

/** Serves a picture of each account, for previews of links to its page. They are drawn one after another. */
export function registerCards(app: FastifyInstance, fetchPicture: FetchPicture | null): void {
  // Drawing takes some 50 ms of CPU, so it is done in a thread, which the first picture starts.
  let thread: WorkerClient<CardMethods> | undefined;
  app.addHook('onClose', async () => thread?.stop());
  const queue = createRequestQueue(1);
  // By what is drawn, so that a new data version does not draw it again.
  const drawn = new LRUCache<string, Buffer>({ maxSize: CACHE_BYTES, sizeCalculation: (png) => png.length });

  const startOnce = () => {
    if (thread === undefined || thread.hasExited()) {
      thread = createWorkerClient<CardMethods>(new Worker(WORKER_FILE), 'the thread of pictures');
    }
    return thread;
  };
  const pictureOf = createProfilePictures({
    fetchPicture,
    isDrawable: (url) => startOnce().call('isDrawable', url),
    logger: app.log,
  });

  const draw = async (etag: string, svg: string): Promise<Buffer> => {
    const png = Buffer.from(await startOnce().call('render', svg));
    drawn.set(etag, png);
    return png;
  };

  app.get('/account/:id/image.png', { schema: { hide: true }, compress: false }, async (request, reply) => {
    // Safe: the route has this parameter.
    const { id } = request.params as { id: string };
    const answer = await askDetails(request, { kind: 'account', id });
    if ('problem' in answer) {
      const { code, detail } = answer.problem;
      const retryAfter = answer.headers['retry-after'];
      throw new HttpProblem(code, detail, retryAfter ? { headers: { 'retry-after': String(retryAfter) } } : {});
    }
    // Services that show previews keep a picture for days.
    if (answer.isIncomplete) throw new HttpProblem('unavailable', 'the graph is being loaded for the first time');
    const { address, ens } = answer.details;
    const svg = drawCard(answer.details, await pictureOf(request, address, ens.avatar));
    const etag = `"${createHash('sha1').update(svg).digest('base64url')}"`;
    const headers = { etag, 'cache-control': 'no-cache' };
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).headers(headers).send();
    // Another request for the same picture may have been answered while this one waited.
    const load = async () => drawn.get(etag) ?? draw(etag, svg);
    const png = drawn.get(etag) ?? (await queue.run(request, load));
    return reply.headers(headers).type('image/png').send(png);
  });
}

const MAX_LENGTH = 30;
const LINE_WIDTH = 1040;
/** In units of the font size: the widest letters, and the mean of digits and small letters. */
const WIDEST = 0.8;
const MEAN = 0.44;
/** How much wider signs of other scripts and emoji may be. */
const WIDE = 0.45;

/** The picture of an account for previews of links, as SVG. A name that cannot be drawn is left out. */
function drawCard(details: Details, picture: string): string {
  const { address, ens } = details;
  const hasName = ens.name !== '' && canDraw(ens.name);
  const title = shorten(hasName ? ens.name : shortAddress(address));
  const numbers = numbersOf(details).join(' · ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#f6f5f1"/>
<rect y="614" width="1200" height="16" fill="#0b7a6f"/>
<clipPath id="round"><circle cx="16" cy="16" r="16"/></clipPath>
<g transform="translate(80 70) scale(6.5)"><g clip-path="url(#round)">${picture}</g></g>
<g transform="translate(944 74) scale(2)" fill="#0b7a6f">
<path d="M9 22 16 9l7 13z" fill="none" stroke="#0b7a6f" stroke-width="2"/>
<circle cx="9" cy="22" r="3.6"/><circle cx="23" cy="22" r="3.6"/><circle cx="16" cy="9" r="3.6" fill="#d99a00"/></g>
<text x="1014" y="126" font-size="56" fill="#1d1f23">Kith</text>
<text x="80" y="400" font-size="${sizeFor(title, WIDEST + WIDE * shareOfWide(title), 92)}" fill="#1d1f23">${escapeText(title)}</text>
<text x="80" y="460" font-size="36" fill="#5b5f68">${hasName ? shortAddress(address) : ''}</text>
<text x="80" y="556" font-size="${sizeFor(numbers, MEAN, 46)}" fill="#0a6b61">${numbers}</text>
</svg>`;
}

/** The size at which a text fits on a line. */
function sizeFor(text: string, letterWidth: number, maxSize: number): number {
  return Math.min(maxSize, Math.floor(LINE_WIDTH / (text.length * letterWidth)));
}

/** The share of characters that are not Latin, Greek or Cyrillic. */
function shareOfWide(text: string): number {
  return (text.match(/[\u0500-\u1fff\u2e80-\u{10ffff}]/gu) ?? []).length / text.length;
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

export interface CardMethods {
  /** Returns a PNG. */
  render(svg: string): Uint8Array;
  /** Whether a picture in a `data:` URL can be decoded. */
  isDrawable(url: string): boolean;
}

/** Compiled or, in tests, the source. */
const WORKER_FILE = new URL(`./card-worker${extname(import.meta.url)}`, import.meta.url);

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
