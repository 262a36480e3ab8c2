import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { executeAll } from './statements.ts';

export async function createWantedProfiles(db: Kysely<unknown>, { types, clustered }: Dialect): Promise<void> {
  const { text, integer } = types;
  await executeAll(db, [
    `create table wanted_profiles (address ${text} primary key, turn ${integer} not null) ${clustered}`,
    'create index wanted_profiles_turn on wanted_profiles (turn, address)',
  ]);
}
