import type { Kysely } from 'kysely';
import type { Dialect } from '../dialect.ts';
import { createTable, run } from './tables.ts';

const RANKED = ['followers', 'following', 'mutuals', 'blocks', 'top8'];
/** Each with the code of its relation, and the end of the edge that it is a count of. */
const RARE = [
  ['blocks_given', 2, 'source'],
  ['mutes_given', 1, 'source'],
  ['mutes', 1, 'target'],
] as const;
const RARE_NAMES = RARE.map(([count]) => count);

/** A ranking reads the accounts that have changed, and no longer all accounts and all edges that are no follows. */
export async function rankChangedAccounts(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const id = `${dialect.types.id} not null`;
  const shares = (table: string, counts: readonly string[]) =>
    counts.map(
      (count) => `insert into ranked_counts (measure, count, accounts)
        select '${count}', ${count}, count(*) from ${table} group by ${count}`,
    );
  const differs = (table: string) => (count: string) => `accounts.${count} <> coalesce(${table}.${count}, 0)`;
  await run(db, [
    ...RARE_NAMES.map((count) => `alter table accounts add column ${count} ${id} default 0`),
    ...RARE.map(
      ([count, relation, end]) => `update accounts set ${count} = counted.edges
        from (select ${end} as account, count(*) as edges from edges where relation <> 0 and relation = ${relation}
          group by ${end}) as counted
        where counted.account = accounts.id`,
    ),
    // Only rankings read it.
    'drop index edges_hostile',

    // Renaming a table would not rename the constraint of its key on PostgreSQL.
    'create table earlier_counts as select * from rare_counts',
    'drop table rare_counts',
    createTable(
      dialect,
      'rare_counts',
      ['account', `account id, address_key address, ${RARE_NAMES.map((count) => `${count} id`).join(', ')}`],
      { hasRowId: true },
    ),
    `insert into rare_counts (account, address_key, ${RARE_NAMES.join(', ')}) select account, address_key,
      ${RARE_NAMES.map((count) => `sum(case measure when '${count}' then count else 0 end)`).join(', ')}
      from earlier_counts group by account, address_key`,
    'drop table earlier_counts',
    ...RARE_NAMES.map(
      (count) =>
        `create index rare_counts_${count} on rare_counts (${count} desc, address_key, account) where ${count} > 0`,
    ),

    'drop table ranks',
    createTable(dialect, 'ranked_counts', ['measure, count', 'measure text, count id, accounts id']),
    ...shares('leaderboard', RANKED),
    ...shares('rare_counts', RARE_NAMES),

    // Each write merges a bounded number of pages instead: automatic merges took up to seconds.
    ...(dialect.isClustered
      ? [
          "insert into leaderboard_grams (leaderboard_grams, rank) values ('automerge', 0)",
          "insert into leaderboard_grams (leaderboard_grams, rank) values ('usermerge', 3)",
        ]
      : []),

    createTable(dialect, 'popularity_changes', ['account', 'account id, patched id']),
    createTable(dialect, 'search_changes', ['account', 'account id, followers id?']),
    createTable(dialect, 'changed_accounts', ['account', 'account id']),
    `insert into changed_accounts (account) select accounts.id from accounts
      left join leaderboard on leaderboard.account = accounts.id left join rare_counts on rare_counts.account = accounts.id
      where ${[...RANKED.map(differs('leaderboard')), ...RARE_NAMES.map(differs('rare_counts'))].join(' or ')}`,
  ]);
}
