import type { Details } from '../api/subject.ts';
import { formatNumber } from '../components/format.ts';

type Ranks = Details['ranks'];

/** Counts by what they count. Undefined while loading, null where the API has none. */
type Counts = Readonly<Record<(typeof NUMBERS)[number]['name'], string | number | null | undefined>>;

interface Props {
  readonly counts: Counts;
  readonly ranks: Ranks;
}

const NUMBERS = [
  { name: 'followers', label: 'Followers' },
  { name: 'following', label: 'Following' },
  { name: 'mutuals', label: 'Mutuals' },
  { name: 'top8', label: 'Top 8', hint: 'Followers that tagged the account top8' },
  { name: 'blocks', label: 'Blocked by' },
] as const;

/** Counts of an account, and its rank by each of them. */
export function ProfileNumbers({ counts, ranks }: Props) {
  return (
    <dl class="profile-numbers">
      {NUMBERS.map((number) => (
        <div key={number.name}>
          <dt title={'hint' in number ? number.hint : undefined}>{number.label}</dt>
          <dd class="count">
            <Count value={counts[number.name]} />
          </dd>
          <dd>
            <Rank rank={ranks[`${number.name}_rank`]} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Count({ value }: { readonly value: string | number | null | undefined }) {
  if (value === undefined) return <span class="count-placeholder" role="status" aria-label="Loading" />;
  return value === null ? <Absent meaning="unknown" /> : formatNumber(value);
}

function Rank({ rank }: { readonly rank: string }) {
  if (rank === '0' || rank === '') return <Absent meaning="no rank" />;
  return (
    <span class="rank" data-rank={rank}>
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
