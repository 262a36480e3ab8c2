import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { rankedLeaderboard, searchLeaderboard } from '../api/graph-requests.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { formatNumber } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useMe } from '../me/me.ts';
import { COLUMNS, type Column, type Member, pathOf } from './order.ts';

/** How many accounts are shown above that of the visitor. */
const ABOVE = 3;

/** The place of the visitor on the leaderboard. It stays visible below the rows. */
export function MyRow({ sort }: { readonly sort: Column }) {
  const me = useMe();
  const { data, error, reload } = useRequest(me && searchLeaderboard({ term: me.address, limit: 1 }));
  if (me === null) return null;
  const member = data?.results.find(({ address }) => address === me.address);
  return (
    <section class="my-row" aria-label="Your row">
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data !== undefined && member === undefined && <p class="soft">You are not on the leaderboard.</p>}
      {member !== undefined && <Place member={member} sort={sort} />}
    </section>
  );
}

function Place({ member, sort }: { readonly member: Member; readonly sort: Column }) {
  const { route } = useLocation();
  const [error, setError] = useState<Error>();
  const label = COLUMNS.find(({ key }) => key === sort)?.label;
  const show = () =>
    placeOf(member, sort).then(
      (place) => {
        setError(undefined);
        route(pathOf({ sort, direction: 'desc', term: '', from: Math.max(0, place - ABOVE) }));
      },
      (cause: Error) => setError(cause),
    );
  return (
    <>
      <span class="ranks-rank">{formatNumber(member[`${sort}_rank`])}</span>
      <AccountLink {...member} />
      <span class="my-count">
        {formatNumber(member[sort])} <small>{label?.toLowerCase()}</small>
      </span>
      <button type="button" onClick={show}>
        My place
      </button>
      {error !== undefined && <Problem error={error} retry={show} />}
    </>
  );
}

/** The number of members before this one. Equal counts have equal ranks, so it is searched for among them. */
async function placeOf(member: Member, sort: Column): Promise<number> {
  const isBefore = (other: Member) =>
    Number(other[sort]) > Number(member[sort]) || (other[sort] === member[sort] && other.address < member.address);
  const read = async (offset: number) => {
    const request = rankedLeaderboard({ sort, direction: 'desc', limit: 1, offset });
    return (await request.load(AbortSignal.timeout(30_000))).results[0];
  };
  let low = Number(member[`${sort}_rank`]) - 1;
  let step = 1;
  // Ahead in growing steps until a member that is not before this one, then halving between.
  let high = low;
  for (let other = await read(high); other !== undefined && isBefore(other); other = await read(high)) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const other = await read(middle);
    if (other !== undefined && isBefore(other)) low = middle + 1;
    else high = middle;
  }
  return low;
}
