import type { Details } from '../api/subject.ts';
import { formatNumber } from '../components/format.ts';
import { type Tab, tabPath } from './tabs.tsx';

/** Counts by what they count. Undefined while loading, null where the API has none. */
type Counts = Readonly<Record<(typeof NUMBERS)[number]['name'], string | number | null | undefined>>;

interface Props {
  readonly id: string;
  readonly counts: Counts;
  /** Undefined while loading. */
  readonly ranks: Details['ranks'] | undefined;
}

const NUMBERS = [
  { name: 'followers', label: 'Followers', tab: 'followers', query: '' },
  { name: 'following', label: 'Following', tab: 'following', query: '' },
  { name: 'mutuals', label: 'Mutuals', tab: 'mutuals', query: '' },
  { name: 'top8', label: 'In top 8 of', tab: 'followers', query: '?tags=top8' },
  { name: 'blocks', label: 'Blocked by', tab: 'followers', query: '?tags=block&all=1' },
] as const satisfies readonly { name: string; label: string; tab: Tab; query: string }[];

/** Counts of an account as links to what they count, and its rank by each of them. */
export function ProfileNumbers({ id, counts, ranks }: Props) {
  return (
    <dl class="profile-numbers">
      {NUMBERS.map(({ name, label, tab, query }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd class="count">
            <Count label={label} href={tabPath(id, tab) + query} value={counts[name]} />
          </dd>
          <dd class="rank-line">
            {ranks !== undefined && (
              <Rank rank={isZero(counts[name]) ? '0' : ranks[`${name}_rank`]} isHonour={name !== 'blocks'} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A count that is not known may have a rank. */
const isZero = (count: Counts[keyof Counts]): boolean => count === 0 || count === '0';

interface CountProps {
  readonly label: string;
  readonly href: string;
  readonly value: string | number | null | undefined;
}

function Count({ label, href, value }: CountProps) {
  if (value === undefined) return <span class="count-placeholder" role="status" aria-label="Loading" />;
  if (value === null) return <Absent meaning="unknown" />;
  return (
    <a href={href} aria-label={`${label}: ${formatNumber(value)}`}>
      {formatNumber(value)}
    </a>
  );
}

interface RankProps {
  readonly rank: string;
  /** Whether the first places are something to be proud of. */
  readonly isHonour: boolean;
}

function Rank({ rank, isHonour }: RankProps) {
  if (rank === '0' || rank === '') return <Absent meaning="no rank" />;
  return (
    <span class="rank" data-rank={isHonour ? rank : undefined}>
      <span class="visually-hidden">Rank </span>#{formatNumber(rank)}
    </span>
  );
}

function Absent({ meaning }: { readonly meaning: string }) {
  return (
    <span class="absent" title={meaning}>
      <span aria-hidden="true">–</span>
      <span class="visually-hidden">{meaning}</span>
    </span>
  );
}
