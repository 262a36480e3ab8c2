import { RELATION_CODES } from '../../src/graph/relation.ts';
import { columnsOf, type TableName } from '../../src/store/schema.ts';
import type { Store } from '../../src/store/store.ts';

/** The account whose rows are exported. */
export const LARGE = `0x${'f'.repeat(40)}`;

const ADDRESS: Readonly<Record<Store['engine'], readonly [text: string, key: string]>> = {
  sqlite: [`printf('0x%040x', i)`, `unhex(printf('%040x', i))`],
  postgres: [`'0x' || lpad(to_hex(i), 40, '0')`, `decode(lpad(to_hex(i), 40, '0'), 'hex')`],
};

/**
 * Statements that write an account which `count` accounts follow and which follows them, with a notification, an op and a
 * member of the leaderboard for each; a tenth of the edges have a tag. A load of their logs would take minutes.
 */
export function largeAccountSql(engine: Store['engine'], count: number): string[] {
  const [large, slot, tag] = [count + 1, count + 2, count + 3];
  const [address, key] = ADDRESS[engine];
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  const time = '1700000000 + i';
  const tagged = 'case when i % 10 = 0 then 1 else 0 end';
  const follow = RELATION_CODES.follow;
  /** A row for each number; the values are in the order of the columns. */
  const each = (table: TableName, values: readonly (string | number)[], where = '') =>
    `insert into ${table} (${columnsOf(table).join(', ')}) ${numbers} select ${values.join(', ')} from n ${where}`;
  const zeros = Array.from({ length: 8 }, () => 0);
  const counts = [2, 1, 1, 0, 0];
  return [
    each('accounts', ['i', address, 'null', 'cast(i as text)', 'i', ...zeros, 0, 1]),
    `insert into accounts (${columnsOf('accounts').join(', ')})
      values (${[large, `'${LARGE}'`, 'null', `'0'`, slot, ...zeros, 0, 1].join(', ')})`,
    `insert into tags (id, tag) values (${tag}, 'gm')`,
    each('edges', [large, time, key, 'i', follow, 1, 0, tagged]),
    each('record_tags', ['i', large, tag], 'where i % 10 = 0'),
    each('records', [slot, time, key, 'i', follow, 0]),
    each('notifications', [large, time, 8453, 'i', 0, 'i', 1, 0]),
    each('logs', [8453, 'i', time, 0, 'i', large, 1, `''`]),
    each('logs', [10, 'i', time, 0, slot, 'i', 1, `''`]),
    each('leaderboard', ['i', key, ...counts]),
  ];
}
