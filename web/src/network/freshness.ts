import { describeTimeLeft } from '../../../src/async/time-left.ts';
import type { ChainFault, ChainStatus, Status } from '../api/status.ts';

export type Level = 'good' | 'warm' | 'bad';

export interface Freshness {
  readonly level: Level;
  readonly text: string;
}

/** Beyond this lag, a visitor may miss what has just happened. */
const MAX_LAG_SECONDS = 60;

const NAMES = new Map([
  [1, 'Ethereum'],
  [10, 'OP Mainnet'],
  [8453, 'Base'],
  [84532, 'Base Sepolia'],
  [11155111, 'Ethereum Sepolia'],
  [11155420, 'OP Sepolia'],
]);

export const chainName = (chainId: number): string => NAMES.get(chainId) ?? `Chain ${chainId}`;

/** For example "12 s" or "3 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

/** Whether one chain is up to date. A chain that only has a fault has not been indexed yet. */
export function freshnessOfChain(chain: ChainStatus | undefined, fault: ChainFault | undefined): Freshness {
  const lag = chain?.lagSeconds ?? null;
  const isCurrent = lag !== null && lag <= MAX_LAG_SECONDS;
  // Nodes that are away for a short time do not make the answers wrong.
  if (fault !== undefined && !(isCurrent && fault.code === 'E_NODE_UNAVAILABLE'))
    return { level: 'bad', text: 'not updated' };
  if (lag === null) return { level: 'warm', text: 'not updated' };
  return { level: isCurrent ? 'good' : 'warm', text: `${formatDuration(lag)} behind` };
}

/** How far the first load is, for example "loading, 34 %, about 3 hours left". */
export function describeLoading(loading: Status['loading']): string {
  if (loading === null) return 'no data yet';
  const { percent, secondsLeft } = loading;
  const left = secondsLeft === null ? null : describeTimeLeft(secondsLeft);
  return ['loading', percent === null ? null : `${percent} %`, left].filter((part) => part !== null).join(', ');
}

/** The chain that is worst off stands for all. */
export function freshnessOf({ chains, faults, counts, isDemo, isLoading, loading }: Status): Freshness {
  if (isDemo) return { level: 'warm', text: 'demo data, not updated' };
  if (isLoading && faults.length === 0) return { level: 'warm', text: describeLoading(loading) };
  if (counts.unfoldedLogs > 0) return { level: 'warm', text: 'rebuilding the graph' };
  const ids = [...new Set([...chains, ...faults].map(({ chainId }) => chainId))];
  const all = ids.map((id) => {
    const chain = chains.find(({ chainId }) => chainId === id);
    const fault = faults.find(({ chainId }) => chainId === id);
    return {
      name: chainName(id),
      lag: chain?.lagSeconds ?? Number.POSITIVE_INFINITY,
      ...freshnessOfChain(chain, fault),
    };
  });
  if (faults.length === 0 && chains.every(({ lagSeconds }) => lagSeconds === null))
    return { level: 'warm', text: 'not updated' };
  const badness = { good: 0, warm: 1, bad: 2 };
  const worst = all.reduce((a, b) => ((badness[b.level] - badness[a.level] || b.lag - a.lag) > 0 ? b : a));
  return { level: worst.level, text: `${worst.name} ${worst.text}` };
}
