/** What a careful hand-written handler does for the same answers: the SQL and shape of each lookup, and nothing else. */
export interface Row {
  readonly [column: string]: string | number | null;
}

type Query = (sql: string, ...params: (string | number)[]) => Row[] | Promise<Row[]>;

export interface Engine {
  readonly query: Query;
  /** A JSON array of the texts of a column. */
  readonly jsonTexts: (column: string) => string;
}

const EMPTY = { name: '', avatar: '', header: '', records: { avatar: '', description: '', header: '', name: '' } };
const ACTIONS = ['', 'follow', 'unfollow', 'tag', 'untag'];
const MEASURES = ['mutuals', 'followers', 'following', 'blocks', 'top8'] as const;
const ME = '(select id from accounts where address = ?)';
const MY_SLOT = '(select active_slot from accounts where address = ?)';
const COUNTS = 'l.mutuals, l.followers, l.following, l.blocks, l.top8';
const RANKED_AT = "(select value from state where key = 'ranked_at') as ranked_at";

const text = (value: unknown) => (value === null || value === undefined ? '' : String(value));
const iso = (ms: number) => new Date(ms).toISOString();
const tagsOf = (row: Row): unknown => (row.tags === null ? [] : JSON.parse(text(row.tags)).sort());

function ensOf(ens: unknown, address: string): object {
  if (ens === null || ens === undefined) {
    const display = `${address.slice(0, 6)}…${address.slice(-4)}`;
    return { ...EMPTY, display, chains: {}, fresh: 0, resolver: '', errors: {}, updated_at: '' };
  }
  const stored = JSON.parse(String(ens));
  return { ...stored, updated_at: stored.fresh === 0 ? '' : iso(stored.fresh) };
}

/** Answers a path below /api/v1; undefined for another one. */
export function createAnswer({ query, jsonTexts }: Engine): (path: string) => Promise<unknown> | undefined {
  const tags = (slot: string, account: string) => `case when tagged = 1 then (select ${jsonTexts('tag')} from (
    select tags.tag from record_tags join tags on tags.id = record_tags.tag
    where record_tags.slot = ${slot} and record_tags.account = ${account} limit 11) as shown) end as tags`;
  const ens = (wanted: boolean) => (wanted ? ', (select ens from profiles where address = s.address) as ens' : '');
  /** Ranks by measure and count, read again after each ranking. */
  let ranking = { at: -1, ranks: new Map<string, string>() };
  const ranksAt = async (at: number) => {
    if (ranking.at !== at) {
      const rows = await query('select measure, count, rank from ranks');
      ranking = { at, ranks: new Map(rows.map((row) => [`${row.measure} ${row.count}`, text(row.rank)])) };
    }
    return (row: Row) =>
      Object.fromEntries(MEASURES.map((name) => [`${name}_rank`, ranking.ranks.get(`${name} ${row[name]}`) ?? '0']));
  };

  async function followers(me: string, params: URLSearchParams) {
    const [withEns, bySize] = [params.get('include') === 'ens', params.get('sort') === 'followers'];
    const rows = await query(
      `select s.address, s.active_list, e.time, e.back, ${tags('s.active_slot', 'e.target')} ${ens(withEns)}
       from edges as e join accounts as s on s.id = e.source
       where e.target = ${ME} and e.relation = 0
       order by ${bySize ? 'e.popularity' : 'e.time'} desc, e.address_key limit 11`,
      me,
    );
    return {
      followers: rows.slice(0, 10).map((row) => ({
        svc_list_nft_token_id: text(row.active_list),
        efp_list_nft_token_id: text(row.active_list),
        address: row.address,
        tags: tagsOf(row),
        is_following: row.back === 1,
        is_muted: row.back === 2,
        is_blocked: row.back === 3,
        updated_at: iso(Number(row.time) * 1000),
        ...(withEns ? { ens: ensOf(row.ens, text(row.address)) } : {}),
      })),
    };
  }

  async function following(me: string) {
    const rows = await query(
      `select s.address, r.time, ${tags('r.slot', 'r.account')} from records as r join accounts as s on s.id = r.account
       where r.slot = ${MY_SLOT} and r.account <> ${ME} and r.relation = 0 order by r.time desc, r.address_key limit 11`,
      ...[me, me],
    );
    return {
      following: rows.slice(0, 10).map((row) => ({
        ...{ version: 1, record_type: 'address', data: row.address, address: row.address },
        tags: tagsOf(row),
        updated_at: iso(Number(row.time) * 1000),
      })),
    };
  }

  async function account(me: string) {
    const [row] = await query('select ens from profiles where address = ?', me);
    return { address: me, ens: ensOf(row?.ens, me) };
  }

  async function details(me: string) {
    const [row] = await query(
      `select ${RANKED_AT}, p.ens, a.active_list, a.followers as followers_count, a.following as following_count, ${COUNTS}
       from (select cast(? as text) as address) as given left join accounts as a on a.address = given.address
       left join profiles as p on p.address = given.address left join leaderboard as l on l.account = a.id`,
      me,
    );
    if (row === undefined) throw new Error('there is one row');
    const { followers_count, following_count } = row;
    const ranks = (await ranksAt(Number(row.ranked_at)))(row);
    const counts = { followers_count: followers_count ?? 0, following_count: following_count ?? 0 };
    return { address: me, ens: ensOf(row.ens, me), ranks, primary_list: text(row.active_list), ...counts };
  }

  async function notifications(me: string) {
    const rows = await query(
      `select s.address, s.active_list, p.name, p.avatar, n.time, n.opcode, tags.tag, logs.payload
       from (select * from notifications where target = ${ME}
         order by time desc, chain_id desc, block_number desc, log_index desc limit 11) as n
       join accounts as s on s.id = n.source
       join logs on logs.chain_id = n.chain_id and logs.block_number = n.block_number and logs.log_index = n.log_index
       left join profiles as p on p.address = s.address left join tags on tags.id = n.tag
       order by n.time desc, n.chain_id desc, n.block_number desc, n.log_index desc`,
      me,
    );
    const shown = rows.slice(0, 10);
    const total = (opcode: number) => shown.filter((row) => row.opcode === opcode).length;
    const totals = { total_follows: total(1), total_unfollows: total(2), total_tags: total(3), total_untags: total(4) };
    return {
      summary: { interval: '999:00:00(hrs)', opcode: 'all', total: shown.length, ...totals },
      notifications: shown.map((row) => ({
        ...{ address: row.address, name: text(row.name), avatar: text(row.avatar), token_id: text(row.active_list) },
        ...{ action: ACTIONS[Number(row.opcode)], opcode: row.opcode, tag: text(row.tag) },
        op: `0x010${row.opcode}0101${me.slice(2)}${row.payload}`,
        updated_at: iso(Number(row.time) * 1000),
      })),
    };
  }

  async function leaderboard(params: URLSearchParams) {
    const rows = await query(
      `select ${RANKED_AT}, page.*, p.name, p.avatar, p.header from (
         select (select address from accounts where id = l.account) as address, ${COUNTS}, l.address_key
         from leaderboard as l order by l.mutuals desc, l.address_key limit 50 offset ?) as page
       left join profiles as p on p.address = page.address order by page.mutuals desc, page.address_key`,
      Number(params.get('offset')),
    );
    const [at, ranks] = [Number(rows[0]?.ranked_at), await ranksAt(Number(rows[0]?.ranked_at))];
    const results = rows.map((row) => ({
      ...{ address: row.address, name: text(row.name), avatar: text(row.avatar), header: text(row.header) },
      ...Object.fromEntries(MEASURES.map((name) => [name, text(row[name])])),
      ...ranks(row),
      updated_at: iso(at),
    }));
    return { last_updated: iso(at), results };
  }

  const ofUser: Readonly<Record<string, (me: string, params: URLSearchParams) => Promise<unknown>>> = {
    ...{ followers, following, account, details, notifications },
  };
  return (path) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost');
    if (pathname === '/api/v1/leaderboard/ranked') return leaderboard(searchParams);
    const [, me, lookup = ''] = /^\/api\/v1\/users\/(0x[0-9a-f]{40})\/(\w+)$/.exec(pathname) ?? [];
    return me === undefined ? undefined : ofUser[lookup]?.(me, searchParams);
  };
}
