import type { Static } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import type { AccountDetails } from '../../contract/schemas.ts';
import type { ProblemCode } from '../problems.ts';
import { INCOMPLETE } from '../server/incomplete.ts';

export type Details = Static<typeof AccountDetails>;

/** What a page is about, as its path says. */
export interface Topic {
  readonly kind: 'account' | 'list';
  readonly id: string;
}

interface Problem {
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
}

/** The response of the lookup `details`. */
type Answer = { readonly isIncomplete: boolean; readonly headers: Record<string, unknown> } & (
  | { readonly details: Details }
  | { readonly problem: Problem }
);

const LOOKUPS = { account: '/api/v1/users', list: '/api/v1/lists' };

/** Asks the API in this process, so that pages share its cache and its limits. */
export async function askDetails({ server, ip }: FastifyRequest, { kind, id }: Topic): Promise<Answer> {
  const url = `${LOOKUPS[kind]}/${encodeURIComponent(id)}/details`;
  try {
    const { statusCode, headers, payload } = await server.inject({ url, remoteAddress: ip });
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
