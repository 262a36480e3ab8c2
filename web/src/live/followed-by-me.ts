import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { useMe } from '../me/me.ts';

const NOT_FOLLOWED = ['block', 'mute'];

/** The accounts that the visitor follows; undefined while they are unknown, and without a visitor. */
export function useFollowedByMe() {
  const addressOrENS = useMe()?.address ?? '';
  const isKnown = addressOrENS !== '';
  const addresses = useRequest(
    isKnown ? lookup('/users/{addressOrENS}/allFollowingAddresses', { addressOrENS }) : null,
  );
  const tags = useRequest(isKnown ? lookup('/users/{addressOrENS}/tags', { addressOrENS }) : null);
  const left = new Set(
    tags.data?.taggedAddresses.filter(({ tag }) => NOT_FOLLOWED.includes(tag)).map(({ address }) => address),
  );
  return {
    accounts: tags.data && addresses.data?.filter((address) => !left.has(address)),
    error: addresses.error ?? tags.error,
    reload() {
      addresses.reload();
      tags.reload();
    },
  };
}
