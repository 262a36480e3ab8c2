import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import pg from 'pg';
import { createAnswer, type Engine, type Row } from './lookups.ts';

/** A hand-written node:http handler on a database of Kith: the limit that Kith is measured against. */
const [location = '', poolSize = ''] = process.argv.slice(2);
const answer = createAnswer(location.startsWith('postgres:') ? onPostgres(location) : onSqlite(location));
const server = createServer(async (request, response) => {
  try {
    const body = await answer(request.url ?? '');
    const text = JSON.stringify(body ?? { error: 'not found' });
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(body === undefined ? 404 : 200, headers).end(text);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end();
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

function onSqlite(path: string): Engine {
  const db = new Database(path, { readonly: true });
  const statements = new Map<string, Database.Statement<unknown[], Row>>();
  const query: Engine['query'] = (sql, ...params) => {
    let statement = statements.get(sql);
    if (statement === undefined) statements.set(sql, (statement = db.prepare<unknown[], Row>(sql)));
    return statement.all(...params);
  };
  return { query, jsonTexts: (column) => `json_group_array(${column})` };
}

function onPostgres(url: string): Engine {
  const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });
  const names = new Map<string, string>();
  const query: Engine['query'] = async (sql, ...params) => {
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `lookup${names.size}`));
    let position = 0;
    const { rows } = await pool.query<Row>({ name, text: sql.replace(/\?/g, () => `$${++position}`), values: params });
    return rows;
  };
  return { query, jsonTexts: (column) => `json_agg(${column})::text` };
}
