import type { ChainFault, ChainStatus } from '../api/status.ts';
import { formatAge, formatDateTime, formatNumber } from '../components/format.ts';
import { chainName, formatDuration, freshnessOfChain } from './freshness.ts';
import { Dot } from './freshness-note.tsx';

interface Props {
  readonly chainId: number;
  readonly chain: ChainStatus | undefined;
  readonly fault: ChainFault | undefined;
  readonly isIndexed: boolean;
}

const NOT_INDEXED = { level: 'warm', text: 'not read' } as const;

export function ChainCard({ chainId, chain, fault, isIndexed }: Props) {
  const { level, text } = isIndexed ? freshnessOfChain(chain, fault) : NOT_INDEXED;
  return (
    <article class="chain">
      <header>
        <h3>{chainName(chainId)}</h3>
        <span class="chip" data-kind={level}>
          {text}
        </span>
      </header>
      {fault !== undefined && (
        <p class="chain-fault">
          <Dot level="bad" />
          <span>
            {fault.message} <span class="code">{fault.code}</span>, since {formatDateTime(fault.since)}
          </span>
        </p>
      )}
      {!isIndexed && (
        <p class="chain-caption">
          This service reads no node of the chain. Lists that are stored on it are not up to date.
        </p>
      )}
      {isIndexed && chain === undefined && <p class="empty">No block has been read yet.</p>}
      {chain !== undefined && <Position chain={chain} />}
    </article>
  );
}

function Position({ chain }: { readonly chain: ChainStatus }) {
  const { indexed, head, finalized, lagBlocks, lagSeconds } = chain;
  const time = indexed.timestamp * 1000;
  return (
    <>
      <div class="chain-block">
        <span class="chain-number">{formatNumber(indexed.number)}</span>
        <span class="chain-caption">
          {head === null ? 'last block with an event' : 'last block read'},{' '}
          <time dateTime={new Date(time).toISOString()} title={formatDateTime(time)}>
            {formatAge(time)}
          </time>
        </span>
      </div>
      <Track chain={chain} />
      <dl class="facts">
        <Fact term="Newest block" value={head === null ? 'unknown' : formatNumber(head)} />
        <Fact term="Newest final block" value={finalized === null ? 'unknown' : formatNumber(finalized)} />
        <Fact
          term="Behind"
          value={
            lagBlocks === null || lagSeconds === null
              ? 'unknown'
              : `${formatNumber(lagBlocks)} ${lagBlocks === 1 ? 'block' : 'blocks'}, ${formatDuration(lagSeconds)}`
          }
        />
      </dl>
    </>
  );
}

/** Where the indexed block is between the finalized block and the head. */
function Track({ chain: { indexed, head, finalized } }: { readonly chain: ChainStatus }) {
  if (head === null || finalized === null) return <div class="track" data-unknown />;
  const part = head > finalized ? (indexed.number - finalized) / (head - finalized) : 1;
  return (
    <div
      class="track"
      aria-hidden="true"
      title="The last block read, between the newest final block and the newest block"
    >
      <div style={{ width: `${Math.min(1, Math.max(0, part)) * 100}%` }} />
    </div>
  );
}

export function Fact({ term, value }: { readonly term: string; readonly value: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </div>
  );
}
