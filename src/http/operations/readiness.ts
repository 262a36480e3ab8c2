import type { Status } from '../../contract/status-schema.ts';

type Chain = Status['chains'][number];

/** Why requests cannot be answered at present; null if they can. `maxLagSeconds` is null if any lag is accepted. */
export function whyNotReady(status: Status, maxLagSeconds: number | null): string | null {
  const { logs, unfoldedLogs } = status.counts;
  if (logs > 0 && unfoldedLogs === logs) return 'the graph is being computed from the stored logs';
  if (status.isLoading) {
    if (status.chains.length + status.faults.length === 0) {
      return 'the database is empty: nothing has been indexed or imported yet';
    }
    const behind = describeChains(status, ({ lagBlocks }) => lagBlocks !== null && lagBlocks > 0);
    return `the chains are being read for the first time${behind === '' ? '' : `: ${behind}`}`;
  }
  if (maxLagSeconds === null) return null;
  const behind = describeChains(status, ({ lagSeconds }) => lagSeconds !== null && lagSeconds > maxLagSeconds);
  return behind === '' ? null : `not caught up: ${behind}`;
}

/** The chains that are behind, and those that were never read, with the reason if it is known. */
function describeChains({ chains, faults }: Status, isBehind: (chain: Chain) => boolean): string {
  const unread = faults.filter(({ chainId }) => !chains.some((chain) => chain.chainId === chainId));
  const describe = ({ chainId, lagBlocks, lagSeconds }: Chain) => {
    const fault = faults.find((known) => known.chainId === chainId);
    if (fault !== undefined) return `chain ${chainId} is not being indexed since ${fault.since}: ${fault.message}`;
    if (lagBlocks === 0)
      return `chain ${chainId} was last checked ${lagSeconds} seconds ago, the indexer may not be running`;
    return `chain ${chainId} is ${lagBlocks} blocks and ${lagSeconds} seconds behind`;
  };
  return [
    ...chains.filter(isBehind).map(describe),
    ...unread.map(({ chainId, since, message }) => `chain ${chainId} could not be read since ${since}: ${message}`),
  ].join('; ');
}
