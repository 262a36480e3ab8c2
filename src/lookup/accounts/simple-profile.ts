import { sql } from 'kysely';
import { DEMO_PICTURE } from '../../contract/demo-picture.ts';
import type { SimpleProfileBody } from '../../contract/lookup-schemas.ts';
import type { Stats } from '../../contract/schemas.ts';
import type { Reader } from '../../store/store.ts';
import { ProblemError } from '../problem.ts';
import { type AccountRef, ADDRESS, aboutRef, readAbout, resolveRef } from '../refs/account-ref.ts';
import { NO_STATS, selectStats } from './stats.ts';

type Row = { readonly [K in 'name' | 'avatar']: string | null } & { readonly [K in keyof Stats]: number | null };

const rowOf = aboutRef<object, Row>(
  ({ kind }) => sql`select profiles.name, profiles.avatar, stats.* from (select 1 as one) as one
      left join profiles on profiles.address = ${ADDRESS} left join (${selectStats(kind)}) as stats on 1 = 1`,
);

/** What fits on one line about an account. `profileUrl` is the base of the URL of its page. */
export async function readSimpleProfile(
  reader: Reader,
  profileUrl: string,
  ref: AccountRef,
): Promise<SimpleProfileBody> {
  const { referent, rows } = await readAbout(reader, rowOf, ref, {});
  const { name = null, avatar = null, followers_count, following_count } = rows[0] ?? {};
  const address = referent.ref_address;
  return {
    address,
    display_name: name || address,
    avatar: avatar ?? '',
    followers_count: followers_count ?? NO_STATS.followers_count,
    following_count: following_count ?? NO_STATS.following_count,
    url: pageOf(profileUrl, address),
  };
}

/** The URL of the profile page of an account. */
export async function readProfileUrl(reader: Reader, profileUrl: string, ref: AccountRef): Promise<string> {
  return pageOf(profileUrl, await resolveRef(reader, ref));
}

function pageOf(profileUrl: string, address: string): string {
  return `${profileUrl}/${address}`;
}

const avatarOf = aboutRef<object, { avatar: string }>(
  () => sql`select avatar from profiles where address = ${ADDRESS}`,
);

/** The URL of the avatar of an account. Rejects with a `ProblemError` if it has none that a browser can load. */
export async function readAvatarUrl(reader: Reader, ref: AccountRef): Promise<string> {
  const { referent, rows } = await readAbout(reader, avatarOf, ref, {});
  const avatar = rows[0]?.avatar ?? '';
  // The service itself has the pictures of demo profiles.
  if (DEMO_PICTURE.test(avatar)) return avatar;
  const url = URL.parse(avatar);
  if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
  throw new ProblemError('no-avatar', `${referent.ref_address} has no avatar with an http or https URL`);
}
