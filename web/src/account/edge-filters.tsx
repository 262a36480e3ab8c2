import { useMemo, useState } from 'preact/hooks';
import type { ResponseOf } from '../api/request.ts';
import type { EdgeSort } from '../api/subject.ts';
import type { Loaded } from '../api/use-request.ts';
import { FilterField } from '../components/filter-field.tsx';
import { Problem } from '../components/problem.tsx';
import { Segments } from '../components/segments.tsx';
import { type EdgeQuery, SORTS } from './edge-query.ts';
import { BLOCK_TAGS, type EdgeTab } from './edge-source.ts';

type Tagged = Pick<ResponseOf<'/users/{addressOrENS}/tags'>, 'taggedAddresses'>;
type TaggedAddresses = Readonly<Tagged['taggedAddresses']>;

interface Props {
  readonly tab: EdgeTab;
  readonly query: EdgeQuery;
  readonly tagged: Loaded<Tagged>;
  readonly onChange: (change: Partial<EdgeQuery>) => void;
}

/** What the switch adds: accounts whose edge is no follow. Mutuals have none. */
const SWITCHES: Record<EdgeTab, string | null> = {
  followers: 'Include who blocks or mutes it',
  following: 'Include whom it blocks or mutes',
  mutuals: null,
};

const SORT_LABELS: Record<EdgeSort, string> = {
  latest: 'Latest change',
  earliest: 'Earliest change',
  followers: 'Most followed',
};
const SORT_OPTIONS = SORTS.map((value) => ({ value, label: SORT_LABELS[value] }));

export function EdgeFilters({ tab, query, tagged, onChange }: Props) {
  const { sort, tags, term, isAll } = query;
  const isSearch = term !== '';
  return (
    <div class="edge-filters">
      <FilterField label={`Search ${tab}`} term={term} onChange={(next) => onChange({ term: next })} />
      {isSearch ? (
        <p class="edge-note">Best matches first. Sort and filters do not apply to a search.</p>
      ) : (
        <>
          <Segments label="Sort" options={SORT_OPTIONS} value={sort} onChange={(next) => onChange({ sort: next })} />
          {SWITCHES[tab] !== null && (
            <label class="edge-switch">
              <input
                type="checkbox"
                role="switch"
                checked={isAll}
                aria-checked={isAll}
                onChange={() =>
                  onChange({ isAll: !isAll, tags: tags.filter((tag) => !isAll || !BLOCK_TAGS.includes(tag)) })
                }
              />
              {SWITCHES[tab]}
            </label>
          )}
          {tagged.error !== undefined && <Problem error={tagged.error} retry={tagged.reload} />}
          <TagFilter
            tagged={tagged.data?.taggedAddresses}
            isCounted={tab !== 'mutuals'}
            isAll={isAll}
            chosen={tags}
            onChange={(next) => onChange({ tags: next })}
          />
        </>
      )}
    </div>
  );
}

interface TagFilterProps {
  /** Undefined while unknown. */
  readonly tagged: TaggedAddresses | undefined;
  /** Whether the list shows all accounts with the tags. */
  readonly isCounted: boolean;
  readonly isAll: boolean;
  readonly chosen: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}

const FEW = 10;

/** Entries with at least one of the chosen tags are shown. */
function TagFilter({ tagged, isCounted, isAll, chosen, onChange }: TagFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const counts = useMemo(() => countTags(tagged ?? [], isAll), [tagged, isAll]);
  const known = [...counts.keys()];
  const tags = [...known, ...chosen.filter((tag) => !counts.has(tag))];
  const shown = isOpen ? tags : tags.filter((tag, index) => index < FEW || chosen.includes(tag));
  if (tags.length === 0) return <p class="edge-tags edge-note">{tagged !== undefined && 'No tags'}</p>;
  const toggle = (tag: string) =>
    onChange(chosen.includes(tag) ? chosen.filter((other) => other !== tag) : [...chosen, tag]);
  return (
    <fieldset class="edge-tags" aria-label="Tags">
      {shown.map((tag) => (
        <button key={tag} type="button" aria-pressed={chosen.includes(tag)} title={tag} onClick={() => toggle(tag)}>
          <bdi>{tag}</bdi> {isCounted && <span class="edge-count">{counts.get(tag) ?? 0}</span>}
        </button>
      ))}
      {tags.length > FEW && (
        <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? 'Fewer' : `${tags.length - shown.length} more`}
        </button>
      )}
      {chosen.length > 0 && (
        <button type="button" class="quiet" onClick={() => onChange([])}>
          Clear
        </button>
      )}
    </fieldset>
  );
}

/** Tags with the number of accounts that the list would show, most used first. */
function countTags(tagged: TaggedAddresses, isAll: boolean): Map<string, number> {
  const left = new Set(isAll ? [] : tagged.filter(({ tag }) => BLOCK_TAGS.includes(tag)).map(({ address }) => address));
  const counts = new Map<string, number>();
  for (const { address, tag } of tagged) {
    // The API separates tags by commas, so it cannot be asked for a tag that has one.
    if (!left.has(address) && !tag.includes(',')) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}
