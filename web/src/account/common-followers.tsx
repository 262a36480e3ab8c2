import '../styles/common-followers.css';
import { pagedLookup } from '../api/request.ts';
import { PAGE, usePages } from '../api/use-pages.ts';
import { AccountField } from '../components/account-field.tsx';
import { AccountLink } from '../components/account-link.tsx';
import { Endless } from '../components/endless.tsx';
import { formatNumber, isAddress, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { useQuery } from '../components/use-query.ts';

interface Props {
  /** Of the account that the page is about. */
  readonly address: string;
  /** Its name, or its short address. */
  readonly name: string;
}

/** The followers of the account that another account follows. The other is in the query of the page, as `with`. */
export function CommonFollowers({ address, name }: Props) {
  const [query, set] = useQuery();
  const other = (query.with ?? '').trim();
  return (
    <Panel title="Common followers" requests={other === '' ? [] : [requestOf(other, address)]}>
      <AccountField
        id="common-with"
        class="common-field"
        label="Another account"
        value={other}
        actions={['Compare', 'Clear']}
        onChoose={(value) => set({ with: value })}
      />
      {other === '' ? (
        <p class="empty">Shows which followers of this account the other account follows.</p>
      ) : (
        <Results key={other} other={other} address={address} name={name} />
      )}
    </Panel>
  );
}

interface ResultsProps {
  readonly other: string;
  readonly address: string;
  readonly name: string;
}

function Results({ other, address, name }: ResultsProps) {
  const pages = usePages({
    first: requestOf(other, address),
    entriesIn: (page) => page.results.map((entry) => ({ ...entry, total: page.length })),
    keyOf: (entry) => entry.address,
  });
  const { entries, isComplete } = pages;
  const total = entries[0]?.total ?? (isComplete ? 0 : undefined);
  const otherName = isAddress(other) ? shortAddress(other) : other;
  const problem = problemOf(pages.error, otherName);
  if (problem !== null) {
    return (
      <div class="common-results">
        <Problem error={problem} />
      </div>
    );
  }
  return (
    <div class="common-results">
      <p class="common-count" role="status" hidden={pages.error !== undefined}>
        <strong>{total === undefined ? '…' : formatNumber(total)}</strong>{' '}
        {total === 1 ? 'follower of ' : 'followers of '}
        <Name name={name} /> {total === 1 ? 'is' : 'are'} followed by <Name name={otherName} />.{' '}
        <a
          href={`/account/${encodeURIComponent(other)}?with=${encodeURIComponent(name === shortAddress(address) ? address : name)}`}
        >
          The other way round
        </a>
      </p>
      <Endless
        pages={pages}
        label="Common followers"
        empty="None. The other account may follow nobody, or no follower of this account."
      >
        {(entry) => (
          <>
            <AccountLink {...entry} />
            {entry.mutuals_rank !== '0' && (
              <span class="common-rank">mutuals rank {formatNumber(entry.mutuals_rank)}</span>
            )}
          </>
        )}
      </Endless>
    </div>
  );
}

/** `leader` is the account that is followed; the user of the path is the one that follows its followers. */
function requestOf(other: string, address: string) {
  return pagedLookup('/users/{addressOrENS}/commonFollowers', {
    addressOrENS: other,
    leader: address,
    limit: PAGE,
  });
}

/** Returns what is wrong with the input; null if the input is not the reason of the error. */
function problemOf(error: Error | undefined, name: string): Error | null {
  if (error === undefined || !('status' in error)) return null;
  if (error.status === 404) return new Error(`No account has the name “${name}”.`);
  if (error.status === 400) return new Error(`“${name}” is neither an address nor a name.`);
  return null;
}
