import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createSingleFlight } from '../../async/single-flight.ts';
import { demoPictureIn } from '../../contract/demo-picture.ts';
import type { RemoteAnswer } from '../../remote/fetch-answer.ts';
import { createRequestQueue } from '../server/limits.ts';
import { drawIdenticon } from './identicon.ts';
import { rasterImageUrl } from './raster-image.ts';

/** Requests a URL that a stranger has set. */
export type FetchPicture = (url: string) => Promise<Pick<RemoteAnswer, 'status' | 'bytes'>>;

export interface ProfilePicturesOptions {
  /** Null if no picture is fetched. */
  readonly fetchPicture: FetchPicture | null;
  /** Whether the renderer can decode a picture. */
  readonly isDrawable: (url: string) => Promise<boolean>;
  readonly logger: FastifyBaseLogger;
}

const CACHE_BYTES = 8 * 2 ** 20;
const TTL_MS = 3_600_000;
/** For a picture that is missing or broken: somebody may be about to repair it. */
const FAILED_TTL_MS = 60_000;
/** A host that is slow keeps one of these. */
const CONCURRENCY = 8;

const DATA_URL = /^data:image\/(?:png|jpe?g|gif);base64,([A-Za-z0-9+/=]+)$/i;
/** The URL of a picture that cannot be drawn. */
const NONE = '';

/**
 * Finds the pictures of profiles for the pictures of previews: PNG, JPEG and GIF. A picture in SVG may take any time to
 * draw, so it counts as none.
 */
export function createProfilePictures({ fetchPicture, isDrawable, logger }: ProfilePicturesOptions) {
  const known = new LRUCache<string, string>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (url, key) => url.length + key.length,
  });
  const flights = createSingleFlight<string>();
  const queue = createRequestQueue(CONCURRENCY);

  async function load(avatar: string): Promise<string> {
    try {
      const bytes = await readBytes(avatar);
      const url = bytes && rasterImageUrl(bytes);
      return url !== null && (await isDrawable(url)) ? url : NONE;
    } catch (err) {
      // What strangers' hosts do is no fault of the service.
      logger.debug({ err }, 'the picture of a profile cannot be fetched');
      return NONE;
    }
  }

  async function readBytes(avatar: string): Promise<Buffer | null> {
    const [, base64] = DATA_URL.exec(avatar) ?? [];
    if (base64 !== undefined) return Buffer.from(base64, 'base64');
    if (fetchPicture === null || !/^https?:/i.test(avatar)) return null;
    const { status, bytes } = await fetchPicture(avatar);
    return status === 200 ? bytes : null;
  }

  async function find(request: FastifyRequest, avatar: string): Promise<string> {
    const stored = known.get(avatar);
    if (stored !== undefined) return stored;
    const url = await queue.run(request, () => flights.run(avatar, () => load(avatar)));
    known.set(avatar, url, { ttl: url === NONE ? FAILED_TTL_MS : TTL_MS });
    return url;
  }

  /** SVG elements of 32 by 32 units: the avatar, or else the generated picture of the account. */
  return async (request: FastifyRequest, address: string, avatar: string): Promise<string> => {
    const own = demoPictureIn(avatar);
    if (own !== null) return drawIdenticon(decodeURIComponent(own.slice(own.lastIndexOf('/') + 1)));
    const url = avatar === '' ? NONE : await find(request, avatar);
    return url === NONE ? drawIdenticon(address) : drawPicture(url);
  };
}

/** On white, since a picture may be transparent. */
function drawPicture(url: string): string {
  return `<rect width="32" height="32" fill="#fff"/><image href="${url}" width="32" height="32" preserveAspectRatio="xMidYMid slice"/>`;
}
