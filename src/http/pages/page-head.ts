import { setTimeout } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { shortAddress } from '../../protocol/hex.ts';
import { type Head, renderHead } from './head.ts';
import { askDetails, type Details, numbersOf, type Topic } from './page-details.ts';

/** A page does not wait longer for a name source: its own requests do, and show that they wait. */
const MAX_WAIT_MS = 500;

export interface DescribedPage {
  readonly status: 200 | 404;
  /** Null for the head of all pages. */
  readonly head: string | null;
}

const PLAIN: DescribedPage = { status: 200, head: null };
const UNKNOWN: DescribedPage = { status: 404, head: null };

/** Describes the page of an account or list. If the lookup fails, which it reports itself, the page is as all pages. */
export async function describePage(
  request: FastifyRequest,
  topic: Topic,
  publicUrl: string | null,
): Promise<DescribedPage> {
  const answer = await Promise.race([askDetails(request, topic), setTimeout(MAX_WAIT_MS, null, { ref: false })]);
  // Numbers of an incomplete graph would be wrong, and what is unknown may still be found.
  if (answer === null || answer.isIncomplete) return PLAIN;
  if ('details' in answer) return { status: 200, head: renderHead(headOf(request, topic, answer.details, publicUrl)) };
  const { status } = answer.problem;
  return status === 404 || status === 400 ? UNKNOWN : PLAIN;
}

function headOf({ url }: FastifyRequest, { kind, id }: Topic, details: Details, publicUrl: string | null): Head {
  const { address, ens } = details;
  const name = ens.name || shortAddress(address);
  const path = url.split('?', 1)[0];
  return {
    type: kind === 'account' ? 'profile' : 'website',
    title: kind === 'list' ? `List #${id.replace(/^0+(?=\d)/, '')} of ${name}` : name,
    description: `${name} on the Ethereum Follow Protocol: ${numbersOf(details).join(', ')}.`,
    url: publicUrl && `${publicUrl}${path}`,
    image: publicUrl && `${publicUrl}/account/${address}/image.png`,
  };
}
