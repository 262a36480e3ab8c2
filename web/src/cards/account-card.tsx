import { describeError, lookup } from '../api/request.ts';
import { cachedResponse } from '../api/response-cache.ts';
import type { Details } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { Avatar } from '../components/avatar.tsx';
import { formatNumber, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { RelationToMe } from '../me/relation-to-me.tsx';

/** What is known about an account, on a few lines. It has nothing to click, so that it can describe a link. */
export function AccountCard({ id }: { readonly id: string }) {
  const request = lookup('/users/{addressOrENS}/details', { addressOrENS: id });
  const known = cachedResponse(request.key) as Details | undefined;
  const { data = known, error } = useRequest(known === undefined ? request : null);
  if (data === undefined) return <p class="soft">{error === undefined ? 'Loading' : describeError(error)}</p>;
  const { address, ens, ranks, followers_count: followers, following_count: following } = data;
  const description = ens.records.description?.trim();
  return (
    <>
      <div class="card-head">
        <Avatar address={address} src={ens.avatar} />
        <div class="account-name">
          {ens.name && <Name name={ens.name} />}
          <span class={ens.name ? 'address' : ''}>{shortAddress(address)}</span>
        </div>
      </div>
      <p class="card-relation">
        <RelationToMe address={address} />
      </p>
      {description && (
        <p class="card-description" dir="auto">
          {description}
        </p>
      )}
      <p class="card-counts">
        <span>
          <strong>{formatNumber(followers)}</strong> {followers === 1 ? 'follower' : 'followers'}
        </span>{' '}
        <span>
          <strong>{formatNumber(following)}</strong> following
        </span>{' '}
        {ranks.followers_rank !== '0' && followers > 0 && (
          <span>#{formatNumber(ranks.followers_rank)} by followers</span>
        )}
      </p>
    </>
  );
}
