import '../styles/profile-header.css';
import { lookup } from '../api/request.ts';
import type { Details } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { Avatar } from '../components/avatar.tsx';
import { CopyButton } from '../components/copy-button.tsx';
import { formatAge, formatDateTime, isAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Problem } from '../components/problem.tsx';
import { useRequests } from '../components/requests.tsx';
import { Acquaintance } from '../me/acquaintance.tsx';
import { useLoading } from '../network/loading.ts';
import { Banner } from './banner.tsx';
import { ProfileNumbers } from './profile-numbers.tsx';
import { Share } from './share.tsx';
import { type Tab, Tabs } from './tabs.tsx';

interface Props {
  /** The name or address in the URL. */
  readonly id: string;
  /** Undefined until they are loaded. */
  readonly details: Details | undefined;
  readonly tab: Tab;
}

/** Who the account is, its numbers, and its tabs. */
export function ProfileHeader({ id, details, tab }: Props) {
  const { requests, numbers } = useNumbers(id, details);
  const { toggle, views } = useRequests('Request of the profile', requests);
  const address = details?.address ?? (isAddress(id) ? id.toLowerCase() : undefined);
  return (
    <section class="panel profile" aria-labelledby="profile-name" data-tab={tab}>
      {address === undefined ? (
        <span class="picture banner" />
      ) : (
        <Banner address={address} src={details?.ens.header ?? ''} />
      )}
      {toggle}
      <div class="profile-body">
        {address === undefined ? (
          <span class="picture avatar" />
        ) : (
          <Avatar address={address} src={details?.ens.avatar} />
        )}
        <Identity id={id} address={address} ens={details?.ens} />
        <Acquaintance id={id} address={address} ens={details?.ens} />
        {views}
        <Numbers id={id} details={details} {...numbers} />
      </div>
      <Tabs id={id} current={tab} />
    </section>
  );
}

/** As long as every address. */
const PENDING_ADDRESS = `0x${'0'.repeat(40)}`;

interface IdentityProps {
  readonly id: string;
  readonly address: string | undefined;
  readonly ens: Details['ens'] | undefined;
}

function Identity({ id, address, ens }: IdentityProps) {
  const name = ens?.name || (isAddress(id) ? '' : id);
  const display = (ens?.records.name || ens?.records.display || '').trim();
  return (
    <div class="profile-identity">
      <h1 id="profile-name" class={name ? '' : 'address'}>
        <Name name={name || address || ''} />
      </h1>
      {display !== '' && display !== name && (
        <p class="profile-display">
          <bdi>{display}</bdi>
        </p>
      )}
      <div class={`profile-address ${address === undefined ? 'pending' : ''}`}>
        {name && <span class="address">{address ?? PENDING_ADDRESS}</span>}
        <CopyButton key={address} text={address ?? ''} label="Copy address" />
        <Share id={id} />
      </div>
    </div>
  );
}

type Search = ReturnType<typeof useNumbers>['numbers'];

function Numbers({ id, details, search, entry }: Search & Pick<Props, 'id' | 'details'>) {
  const loading = useLoading();
  /** Null if the account is not on the leaderboard. */
  const ofEntry = <V,>(value: V | undefined) =>
    value ?? (search.data === undefined && search.error === undefined ? undefined : null);
  return (
    <>
      <ProfileNumbers
        id={id}
        counts={{
          followers: details?.followers_count,
          following: details?.following_count,
          mutuals: ofEntry(entry?.mutuals),
          top8: ofEntry(entry?.top8),
          blocks: ofEntry(entry?.blocks),
        }}
        ranks={details?.ranks}
      />
      {search.error !== undefined && <Problem error={search.error} retry={search.reload} />}
      <p class="profile-note">
        {search.data !== undefined && entry === undefined && (loading ?? 'Not on the leaderboard, so without ranks.')}
        {search.data !== undefined && entry !== undefined && (
          <>
            Ranks, mutuals, top 8 and blocks as of{' '}
            <time dateTime={search.data.last_updated} title={formatDateTime(search.data.last_updated)}>
              {formatAge(search.data.last_updated)}
            </time>
            .
          </>
        )}
      </p>
    </>
  );
}

function useNumbers(id: string, details: Details | undefined) {
  const request = details === undefined ? null : lookup('/leaderboard/search', { term: details.address, limit: 1 });
  const search = useRequest(request);
  const entry = search.data?.results.find(({ address }) => address === details?.address);
  return {
    requests: [lookup('/users/{addressOrENS}/details', { addressOrENS: id }), request],
    numbers: { search, entry },
  };
}
