import type { StoredEns } from '../contract/schemas.ts';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import { type ImageGateways, type ImageKey, imageUrl } from './image-url.ts';
import { profileRow } from './profile.ts';
import type { FetchedProfile } from './profile-source.ts';

/**
 * Builds the row to store from a fetched profile. A record that could not be read keeps its last value, if that
 * belongs to the same name, and its error is stored with it.
 */
export function mergeProfile(
  address: Address,
  fetched: FetchedProfile,
  before: Row<'profiles'> | undefined,
  gateways: ImageGateways,
): Row<'profiles'> {
  const { name, display, resolver, fresh } = fetched;
  // Safe: the column holds what `serialiseEns` wrote.
  const last = before !== undefined && before.name === name ? (JSON.parse(before.ens) as StoredEns) : undefined;
  const errors = { ...fetched.errors };
  const records = keepFailed(fetched.records, last?.records, errors, 'records');
  const chains = keepFailed(fetched.chains, last?.chains, errors, 'chains');
  const image = (key: ImageKey): string => {
    if (errors[`records.${key}`] !== undefined) return last?.[key] ?? '';
    const found = imageUrl(fetched.records[key] ?? '', key, name, gateways);
    if ('url' in found) return found.url;
    errors[`records.${key}`] = found.error;
    return '';
  };
  const avatar = image('avatar');
  const header = image('header');
  return profileRow(address, { name, avatar, header, display, records, chains, fresh, resolver, errors });
}

function keepFailed(
  fetched: Readonly<Record<string, string>>,
  last: Readonly<Record<string, string>> | undefined,
  errors: Readonly<Record<string, string>>,
  group: string,
): Record<string, string> {
  const failed = (key: string) => errors[`${group}.${key}`] !== undefined && !Object.hasOwn(fetched, key);
  const kept = Object.entries(last ?? {}).filter(([key]) => failed(key));
  return { ...fetched, ...Object.fromEntries(kept) };
}
