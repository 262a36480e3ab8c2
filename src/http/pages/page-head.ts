import type { FastifyRequest } from 'fastify';
import { withDeadline } from '../../async/deadline.ts';
import { type Head, renderHead } from './head.ts';
import { askDetails, type Details, numbersOf, type Subject, shortAddress } from './page-details.ts';

/** A page does not wait longer for a name source: its own requests do, and show that they wait. */
const MAX_WAIT_MS = 500;

export interface SubjectPage {
  readonly status: 200 | 404;
  /** Null for the head of all pages. */
  readonly head: string | null;
}

const PLAIN: SubjectPage = { status: 200, head: null };
const UNKNOWN: SubjectPage = { status: 404, head: null };

/** Describes the page of an account or list. If the lookup fails, it is as all pages. */
export async function describePage(
  request: FastifyRequest,
  subject: Subject,
  publicUrl: string | null,
): Promise<SubjectPage> {
  try {
    const late = () => new Error(`no details within ${MAX_WAIT_MS} ms`);
    const answer = await withDeadline(askDetails(request, subject), MAX_WAIT_MS, late);
    // Numbers would be wrong, and what is unknown may still be found.
    if (answer.isIncomplete) return PLAIN;
    if ('details' in answer)
      return { status: 200, head: renderHead(headOf(request, subject, answer.details, publicUrl)) };
    const { status, detail } = answer.problem;
    if (status === 404 || status === 400) return UNKNOWN;
    throw new Error(detail);
  } catch (error) {
    request.log.warn({ err: error, url: request.url }, 'page without a title of its own');
    return PLAIN;
  }
}

function headOf({ url }: FastifyRequest, { kind, id }: Subject, details: Details, publicUrl: string | null): Head {
  const { address, ens } = details;
  const name = ens.name || shortAddress(address);
  const path = url.split('?', 1)[0];
  return {
    title: kind === 'list' ? `List ${id} of ${name}` : name,
    description: `${name} on the Ethereum Follow Protocol: ${numbersOf(details).join(', ')}.`,
    url: publicUrl && `${publicUrl}${path}`,
    image: publicUrl && `${publicUrl}/account/${address}/image.png`,
  };
}
