import { type Address, type Hex, parseHex } from '../../protocol/hex.ts';
import { parseJson } from '../../remote/fetch-answer.ts';
import { RemoteError, type RemoteFault } from '../../remote/remote-error.ts';
import type { GuardedFetch } from './guarded-fetch.ts';

/** What a contract wants to be told by one of its gateways (EIP-3668). */
export interface CcipQuestion {
  readonly sender: Address;
  readonly data: Hex;
  readonly urls: readonly string[];
}

/** Asks a contract's gateways. Throws a `GatewayError` when none of them answers. */
export type CcipGateway = (question: CcipQuestion) => Promise<Hex>;

/** Shaped as viem expects it, which passes it on to the contract: a status is told apart from other faults by name. */
export class GatewayError extends RemoteError {
  readonly status: number | undefined;
  readonly shortMessage: string;

  constructor(host: string, fault: RemoteFault) {
    super(host, 'gateway', fault);
    this.shortMessage = this.message;
    this.status = fault.kind === 'http' ? fault.status : undefined;
    this.name = fault.kind === 'http' ? 'HttpRequestError' : 'GatewayError';
  }
}

/** Contracts name one or two; each may take its time to fail. */
const MOST_URLS = 4;

export function createCcipGateway({ fetch }: { readonly fetch: GuardedFetch }): CcipGateway {
  async function fetchFrom(template: string, { sender, data }: CcipQuestion): Promise<Hex> {
    const url = template.replaceAll('{sender}', sender.toLowerCase()).replaceAll('{data}', data);
    const isGet = template.includes('{data}');
    const { status, text } = await fetch(url, isGet ? undefined : JSON.stringify({ data, sender }));
    const host = hostOf(url);
    if (status < 200 || status >= 300) throw new GatewayError(host, { kind: 'http', status, retryAfterMs: null });
    const answer = parseAnswer(text);
    if (answer === null) throw new GatewayError(host, { kind: 'malformed', message: 'no hexadecimal data' });
    return answer;
  }

  return async (question) => {
    let last = new GatewayError('a contract', { kind: 'malformed', message: 'no URL of a gateway' });
    for (const template of question.urls.slice(0, MOST_URLS)) {
      try {
        return await fetchFrom(template, question);
      } catch (error) {
        last = asGatewayError(template, error);
        // The gateway understood and will not: others are not to be asked.
        if (last.status !== undefined && last.status >= 400 && last.status < 500) break;
      }
    }
    throw last;
  };
}

/** JSON with `data`, or nothing but the data itself. */
function parseAnswer(text: string): Hex | null {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null && 'data' in json ? parseHex(json.data) : parseHex(text.trim());
}

function asGatewayError(template: string, error: unknown): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof RemoteError) return new GatewayError(hostOf(template), error.fault);
  throw error;
}

function hostOf(template: string): string {
  return URL.canParse(template) ? new URL(template).host : 'a gateway';
}
