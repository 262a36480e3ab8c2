import '../styles/profile-header.css';
import { lookup } from '../api/request.ts';
import { type Details, lookupOf, type Stats, type Subject } from '../api/subject.ts';
import { type Loaded, useRequest } from '../api/use-request.ts';
import { Avatar } from '../components/avatar.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { formatAge, formatDateTime } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useRequests } from '../components/requests.tsx';
import { useLoading } from '../network/loading.ts';
import { Banner } from './banner.tsx';
import { ProfileLists } from './profile-lists.tsx';
import { ProfileNumbers } from './profile-numbers.tsx';
import { Description, ProfileRecords } from './profile-text.tsx';

interface Props {
  readonly subject: Subject;
  readonly details: Details;
  readonly stats: Loaded<Stats>;
}

export function ProfileHeader({ subject, details, stats }: Props) {
  const { address, ens, ranks, primary_list } = details;
  const requests = requestsOfHeader(subject, details);
  const { toggle, views } = useRequests('Request of the profile', Object.values(requests));
  const loading = useLoading();
  const lists = useRequest(requests.lists);
  const numbers = useNumbers(requests, details, stats);
  const failed = [lists, ...numbers.loaded].filter(({ error }) => error !== undefined);
  return (
    <section class="panel profile" aria-labelledby="profile-name">
      <Banner address={address} src={ens.header} />
      {toggle}
      <div class="profile-body">
        <Avatar address={address} src={ens.avatar} />
        <Identity details={details} />
        {views}
        <ProfileLists subject={subject} primary={primary_list} lists={lists.data?.lists} />
        {subject.kind === 'list' && subject.id !== primary_list && (
          <p class="profile-note">
            List #{subject.id} is not the primary list of this account: whom it follows does not count as the account’s
            following.
          </p>
        )}
        {ens.records.description && <Description key={address} text={ens.records.description} />}
        <ProfileRecords address={address} ens={ens} />
        <ProfileNumbers counts={numbers.counts} ranks={ranks} />
        {failed[0]?.error !== undefined && (
          <Problem error={failed[0].error} retry={() => failed.forEach((loaded) => void loaded.reload())} />
        )}
        <p class="profile-note">
          {numbers.rankedAt === null && (loading ?? 'Not on the leaderboard, so without ranks.')}
          {numbers.rankedAt && (
            <>
              Ranks, mutuals, top 8 and blocks as of{' '}
              <time dateTime={numbers.rankedAt} title={formatDateTime(numbers.rankedAt)}>
                {formatAge(numbers.rankedAt)}
              </time>
              .
            </>
          )}
        </p>
      </div>
    </section>
  );
}

function Identity({ details: { address, ens } }: { readonly details: Details }) {
  const display = (ens.records.name || ens.records.display || '').trim();
  return (
    <div class="profile-identity">
      <h1 id="profile-name" class={ens.name ? '' : 'address'}>
        <bdi>{ens.name || address}</bdi>
      </h1>
      {display !== '' && display !== ens.name && (
        <p class="profile-display">
          <bdi>{display}</bdi>
        </p>
      )}
      <p class="profile-address">
        {ens.name && <span class="address">{address}</span>}
        <CopyButton key={address} text={address} label="Copy address" />
      </p>
    </div>
  );
}

function requestsOfHeader(subject: Subject, { address, ranks }: Details) {
  const rank = Number(ranks.top8_rank);
  return {
    details: lookupOf(subject, 'details', {}),
    stats: lookupOf(subject, 'stats', {}),
    lists: lookup('/users/{addressOrENS}/lists', { addressOrENS: address }),
    entry: lookup('/leaderboard/search', { term: address, limit: 1 }),
    // A search has no top8 count. The first account of the same rank has the same count.
    top8: rank === 0 ? null : lookup('/leaderboard/ranked', { sort: 'top8', limit: 1, offset: rank - 1 }),
  };
}

function useNumbers(requests: ReturnType<typeof requestsOfHeader>, { address, ranks }: Details, stats: Loaded<Stats>) {
  const search = useRequest(requests.entry);
  const top8 = useRequest(requests.top8);
  const entry = search.data?.results.find((result) => result.address === address);
  const sameRank = top8.data?.results.find((result) => result.top8_rank === ranks.top8_rank);
  const count = <T, V>({ data, error }: { data: T | undefined; error: Error | undefined }, value: V | undefined) =>
    value ?? (data === undefined && error === undefined ? undefined : null);
  return {
    loaded: [stats, search, top8],
    counts: {
      followers: count(stats, stats.data?.followers_count),
      following: count(stats, stats.data?.following_count),
      mutuals: count(search, entry?.mutuals),
      blocks: count(search, entry?.blocks),
      top8: requests.top8 === null ? null : count(top8, sameRank?.top8),
    },
    /** Null outside the leaderboard. */
    rankedAt: search.data === undefined ? undefined : entry === undefined ? null : search.data.last_updated,
  };
}
