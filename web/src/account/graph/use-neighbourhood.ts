import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useRequest } from '../../api/use-request.ts';
import { chooseMore, chooseNeighbours, MAX_MEMBERS } from './members.ts';
import { type Neighbourhood, neighbourhoodOf } from './neighbourhood.ts';
import { accountsOf, edgesAmong, followersOf, followingOf } from './requests.ts';

/** Loads who follows whom around an account, in four requests, and three more for each account that is expanded. */
export function useNeighbourhood(centre: string, viewer: string) {
  const [expanded, setExpanded] = useState<readonly string[]>([]);
  const [added, setAdded] = useState<readonly string[]>([]);
  const followers = useRequest(followersOf(centre));
  const following = useRequest(followingOf(centre));
  const latest = expanded.at(-1);
  const more = useRequest(latest === undefined ? null : followingOf(latest));
  const first = useMemo(
    () =>
      followers.data &&
      following.data && [centre, ...chooseNeighbours(followers.data, following.data, countThatFits())],
    [followers.data, following.data],
  );
  useEffect(() => {
    if (first && more.data) setAdded([...new Set([...added, ...chooseMore(more.data, first)])]);
  }, [more.data]);
  const members = first && [...first, ...added].slice(0, MAX_MEMBERS);
  const edgesRequest = members ? edgesAmong(members) : null;
  const accountsRequest = members ? accountsOf(members, viewer) : null;
  const edges = useRequest(edgesRequest);
  const accounts = useRequest(accountsRequest);
  const loaded = useMemo(
    () => edges.data && accounts.data && neighbourhoodOf(accounts.data, edges.data, viewer),
    [edges.data, accounts.data],
  );
  // The last picture stays until the next one has been loaded.
  const shown = useRef<Neighbourhood | undefined>(undefined);
  if (loaded !== undefined) shown.current = loaded;
  const failed = [followers, following, more, edges, accounts].filter(({ error }) => error !== undefined);
  return {
    data: shown.current,
    error: failed[0]?.error,
    requests: [
      followersOf(centre),
      followingOf(centre),
      ...expanded.map(followingOf),
      ...[edgesRequest, accountsRequest].filter((request) => request !== null),
    ],
    reload: () => failed.forEach((request) => void request.reload()),
    // One after another: a second account would replace the request of the first.
    canExpand: (address: string) =>
      address !== centre &&
      !expanded.includes(address) &&
      (latest === undefined || more.data !== undefined) &&
      (members?.length ?? 0) < MAX_MEMBERS,
    expand: (address: string) => setExpanded([...expanded, address]),
  };
}

/** On a phone, a hundred accounts would cover each other. */
const countThatFits = () => (matchMedia('(max-width: 40rem)').matches ? 30 : 99);
