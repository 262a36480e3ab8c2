import { setTimeout } from 'node:timers/promises';
import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { ProblemCode } from '../../contract/problems.ts';
import type { AccountDetails, Ens } from '../../contract/schemas.ts';
import { shortAddress } from '../../protocol/hex.ts';
import { INCOMPLETE } from '../problems.ts';
import { asCounted } from '../server/limits.ts';

export type Details = Static<typeof AccountDetails> & { readonly ens: Ens };

/** What a page is about, as its path says. */
export interface Topic {
  readonly kind: 'account' | 'list';
  readonly id: string;
}

/** The response of the lookup `details`. */
type Answer = { readonly isIncomplete: boolean; readonly headers: Record<string, unknown> } & (
  | { readonly details: Details }
  | { readonly problem: { readonly status: number; readonly code: ProblemCode; readonly detail: string } }
);

const LOOKUPS = { account: '/api/v1/users', list: '/api/v1/lists' };

/** Asks the API in this process, so that pages share its cache. The page was counted already. */
export async function askDetails({ server, ip }: FastifyRequest, { kind, id }: Topic): Promise<Answer> {
  const url = `${LOOKUPS[kind]}/${encodeURIComponent(id)}/details`;
  try {
    const { statusCode, headers, payload } = await asCounted(() => server.inject({ url, remoteAddress: ip }));
    const isIncomplete = headers[INCOMPLETE.toLowerCase()] !== undefined;
    const body = JSON.parse(payload);
    return { isIncomplete, headers, ...(statusCode === 200 ? { details: body } : { problem: body }) };
  } catch (error) {
    // During shutdown, open connections are still served.
    if ((error as { code?: string }).code !== 'FST_ERR_REOPENED_CLOSE_SERVER') throw error;
    const problem = { status: 503, code: 'unavailable', detail: 'the service is shutting down' } as const;
    return { isIncomplete: false, headers: {}, problem };
  }
}

const number = new Intl.NumberFormat('en');

/** The numbers of an account in words. Without a rank if it is not on the leaderboard. */
export function numbersOf({ followers_count, following_count, ranks }: Details): string[] {
  const rank = Number(ranks.followers_rank);
  return [
    `${number.format(followers_count)} ${followers_count === 1 ? 'follower' : 'followers'}`,
    `${number.format(following_count)} following`,
    ...(rank === 0 ? [] : [`rank ${number.format(rank)} by followers`]),
  ];
}

/** A page does not wait longer for a name source: its own requests do, and show that they wait. */
const MAX_WAIT_MS = 500;

/**
 * The status and the head of the page of an account or list. The head is null for that of all pages, also if the lookup
 * fails, which it reports itself.
 */
export async function describePage(request: FastifyRequest, topic: Topic, publicUrl: string | null) {
  const answer = await Promise.race([askDetails(request, topic), setTimeout(MAX_WAIT_MS, null, { ref: false })]);
  // Numbers of an incomplete graph would be wrong, and what is unknown may still be found.
  if (answer === null || answer.isIncomplete) return { status: 200, head: null };
  if ('details' in answer) return { status: 200, head: renderHead(headOf(request, topic, answer.details, publicUrl)) };
  const { status } = answer.problem;
  return { status: status === 404 || status === 400 ? 404 : 200, head: null };
}

/** What a page says about itself to search engines, and to the previews of links: absolute URLs, or none. */
function headOf({ url }: FastifyRequest, { kind, id }: Topic, details: Details, publicUrl: string | null) {
  const { address, ens } = details;
  const name = ens.name || shortAddress(address);
  const path = url.split('?', 1)[0];
  return {
    // Of the Open Graph protocol.
    type: kind === 'account' ? 'profile' : 'website',
    title: kind === 'list' ? `List #${id.replace(/^0+(?=\d)/, '')} of ${name}` : name,
    description: `${name} on the Ethereum Follow Protocol: ${numbersOf(details).join(', ')}.`,
    url: publicUrl && `${publicUrl}${path}`,
    image: publicUrl && `${publicUrl}/account/${address}/image.png`,
  };
}

export function renderHead({ type, title, description, url, image }: ReturnType<typeof headOf>): string {
  const properties = { 'og:site_name': 'Kith', 'og:type': type, 'og:title': title, 'og:description': description };
  const tags = [
    `<title>${escapeText(title)} · Kith</title>`,
    meta('name', 'description', description),
    ...Object.entries(properties).map(([name, content]) => meta('property', name, content)),
    meta('name', 'twitter:card', image === null ? 'summary' : 'summary_large_image'),
  ];
  if (url !== null) tags.push(meta('property', 'og:url', url));
  if (image !== null) {
    tags.push(
      meta('property', 'og:image', image),
      meta('property', 'og:image:width', '1200'),
      meta('property', 'og:image:height', '630'),
    );
  }
  return tags.join('\n    ');
}

function meta(attribute: 'name' | 'property', name: string, content: string): string {
  return `<meta ${attribute}="${name}" content="${escapeText(content)}" />`;
}

/** Invisible characters that XML forbids, or that reorder the text around them. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for an element or a quoted attribute of HTML or SVG. Names are written by strangers. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
