import { describe, expect, it } from 'vitest';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { markDemo } from '../../src/store/state.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf } from '../model/small-history.ts';
import { allRows, useOwnDatabase, withStore } from '../store/own-database.ts';
import { addLaterMigration } from '../store/query-database.ts';
import { anyEngine } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { loadLogs, loadProfiles, loadRanks } from '../support/load.ts';
import { fetchAnswer } from '../support/service.ts';
import { PROFILES } from './import-files.ts';
import { runKith, startKithHere } from './run-here.ts';
import { failureIn, type RunningKith, startKith } from './run-kith.ts';

const ENDPOINTS = [
  /\/lists\/\d+\/details$/,
  /\/users\/[^/]+\/badges$/,
  /\/lists\/\d+\/badges$/,
  /\/leaderboard\/search\?/,
  /\/users\/[^/]+\/notifications$/,
  /\/users\/[^/]+\/followers\b/,
  /\/lists\/\d+\/followers\b/,
];
const MAKING_DEMO = /loading a demo graph/;
/** Indexes no chain, and refreshes profiles from a node that does not listen. */
const NAMES = { RPC_URL_1: 'http://127.0.0.1:1', INDEX_CHAINS: 'none' };

describe.each(anyEngine)('kith start on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createBare });
  const start = (...args: string[]) => startKithHere(args, { DATABASE_URL: own.database.url });

  it('loads a demo graph into an empty database, and serves every URL that it prints', async () => {
    const kith = await startKith('start', { DATABASE_URL: own.database.url });
    expect(kith.stdout()).toMatch(MAKING_DEMO);
    const urls = await invitedTo(kith);
    expect(urls).toEqual(ENDPOINTS.map((endpoint) => expect.stringMatching(endpoint)));
    const answers = await Promise.all(urls.map((url) => fetchAnswer(url)));
    expect(answers.map(({ status }) => status)).toEqual(ENDPOINTS.map(() => 200));
    const [details, badges, listBadges, board, news, followers, listFollowers] = answers.map(({ json }) => json);
    expect(details.ens.name).not.toBe('');
    expect(badges.poaps.filter(isHeld)).not.toEqual([]);
    expect(listBadges.poaps.filter(isHeld)).not.toEqual([]);
    expect(board.results).not.toEqual([]);
    expect(news.notifications).not.toEqual([]);
    expect(followers.followers).not.toEqual([]);
    expect(listFollowers.followers).not.toEqual([]);
    expect(await fetchAnswer(`${kith.url}/docs`)).toMatchObject({ status: 200 });
    const lines = (await kith.end()).stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ msg: expect.stringMatching(/^demo graph: [\d,]+ logs/) }));
  });

  it('generates pictures with URLs that pages of other origins can load', async () => {
    const kith = await startKith('start', { DATABASE_URL: own.database.url, PORT: String(await freePort()) });
    const { json } = await fetchAnswer(`${kith.url}/api/v1/users/ada.eth/details`);
    const { json: badges } = await fetchAnswer(`${kith.url}/api/v1/users/ada.eth/badges`);
    const pictures = [json.ens.avatar, json.ens.header, badges.poaps.find(isHeld).collection.event.image_url];
    for (const url of pictures) {
      expect(url).toMatch(new RegExp(`^${kith.url}/demo/`));
      const { status, headers } = await fetchAnswer(url);
      expect([status, headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    }
  });

  it('generates them with PUBLIC_URL', async () => {
    const kith = await startKith('start', { DATABASE_URL: own.database.url, PUBLIC_URL: 'https://kith.example' });
    const { json } = await fetchAnswer(`${kith.url}/api/v1/users/ada.eth/details`);
    expect(json.ens.avatar).toBe('https://kith.example/demo/avatars/ada.eth.svg');
  });

  it('does not change a database with data', async () => {
    const rows = await withStore(own.database, async (store) => {
      await loadLogs(store, logsOf(annsList));
      await loadRanks(store, 1);
      return allRows(store);
    });
    const kith = await start('start');
    expect(kith.stdout()).not.toMatch(MAKING_DEMO);
    expect((await kith.end()).code).toBe(0);
    expect(await withStore(own.database, allRows)).toEqual(rows);
  });

  it('loads no demo graph if profiles have been imported', async () => {
    await withStore(own.database, (store) => loadProfiles(store, PROFILES));
    const kith = await start('start');
    expect(kith.stdout()).not.toMatch(MAKING_DEMO);
  });

  it('loads the whole demo graph if an earlier start was killed', async () => {
    const options = { accounts: 1_000, seed: 1, now: Math.floor(Date.now() / 1000) };
    const killed = new Error('killed');
    const interrupted = withStore(own.database, (store) =>
      loadDemo(store, options, () => {
        throw killed;
      }),
    );
    await expect(interrupted).rejects.toBe(killed);
    const kith = await start('start');
    const answers = await Promise.all((await invitedTo(kith)).map((url) => fetchAnswer(url)));
    expect(answers.map(({ status }) => status)).toEqual(ENDPOINTS.map(() => 200));
  });

  it.each(['ab🦊.eth', '🦊🦊.eth', 'é.eth'])('prints working URLs if the sample name is %s', async (name) => {
    await withStore(own.database, async (store) => {
      await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, ANN)]));
      await loadProfiles(
        store,
        [ANN, BOB].map((address) => ({ address, name, fresh: 1 })),
      );
      await loadRanks(store, 1);
    });
    const answers = await Promise.all((await invitedTo(await start('start'))).map((url) => fetchAnswer(url)));
    expect(answers.map(({ status }) => status)).toEqual(ENDPOINTS.map(() => 200));
  });

  it('prints no URL of an account before the graph is loaded', async () => {
    const kith = await startKithHere(['start'], { DATABASE_URL: own.database.url, POAP_API_KEY: 'key' });
    expect(await invitedTo(kith)).toEqual([]);
    expect(kith.stdout()).toBe(
      `\nKith listens on ${kith.url}. The graph is not loaded yet.\nStatus: ${kith.url}/status\nExplorer: ${kith.url}/\nDocumentation: ${kith.url}/docs\n\n`,
    );
  });

  it('is the default command', async () => {
    const { stdout } = await runKith(['--help']);
    expect(stdout).toMatch(/^ {2}start .*default/m);
    await withStore(own.database, (store) => loadLogs(store, logsOf(annsList)));
    const kith = await start();
    const [, url] = await kith.untilSaid(/Kith listens on (http:\S+)\. /);
    expect(url).toBe(kith.url);
  });

  it('loads no demo graph with kith serve', async () => {
    const kith = await start('serve');
    const { json } = await fetchAnswer(`${kith.url}/status`);
    expect(json.counts.logs).toBe(0);
    expect((await kith.end()).code).toBe(0);
  });

  it('exits with the error of the indexer if a restart cannot repair it', async () => {
    const kith = await startKith('start', { DATABASE_URL: own.database.url, ...NAMES });
    await kith.untilSaid(/"msg":"indexing"/);
    const origin = { accounts: 50, seed: 1, now: 1_790_000_000 };
    await withStore(own.database, (store) => store.transaction((tx) => markDemo(tx, origin)));
    const { code, stderr } = await kith.ended();
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(/^the database holds a demo graph, .* \[E_DEMO_DATABASE\]$/);
  });

  it('stops indexing and goes on serving when a later version has migrated the database', async () => {
    const kith = await startKith('start', { DATABASE_URL: own.database.url, ...NAMES });
    await kith.untilSaid(/"msg":"indexing"/);
    await addLaterMigration(own.database);
    await kith.untilSaid(/newer than this program[^\n]*"msg":"indexing has ended, serving continues/);
    expect((await fetchAnswer(`${kith.url}/api/v1/leaderboard/search`)).status).toBe(200);
    expect((await kith.end()).code).toBe(0);
  });

  it('refuses to index into a database with a demo graph', async () => {
    await withStore(own.database, (store) =>
      loadDemo(store, { accounts: 50, seed: 1, now: 1_790_000_000 }, () => undefined),
    );
    const env = { DATABASE_URL: own.database.url, ...NAMES };
    for (const command of ['start', 'index']) {
      const { code, stderr } = await runKith([command], { env });
      expect(code).toBe(1);
      expect(failureIn(stderr)).toMatch(/^the database holds a demo graph, .*DATABASE_URL.* \[E_DEMO_DATABASE\]$/);
    }
  });

  it('serves probes on the operations port as well, and the metrics only there', async () => {
    const port = await freePort();
    const kith = await startKithHere(['serve'], {
      ...{ DATABASE_URL: own.database.url, OPERATIONS_PORT: `${port}`, RATE_LIMIT: '1/60' },
    });
    const at = `http://127.0.0.1:${port}`;
    expect(await fetchAnswer(`${at}/health`)).toMatchObject({ status: 200, json: { status: 'alive' } });
    expect((await fetchAnswer(`${at}/metrics`)).text).toContain('kith_database_up 1');
    expect((await fetchAnswer(`${at}/status`)).status).toBe(200);
    const statusOf = async (path: string) => (await fetchAnswer(`${kith.url}${path}`)).status;
    expect([await statusOf('/metrics'), await statusOf('/status'), await statusOf('/health')]).toEqual([404, 429, 200]);
    expect((await kith.end()).code).toBe(0);
    await expect(fetch(at)).rejects.toThrow('fetch failed');
  });

  it.each(['PORT', 'OPERATIONS_PORT'])('exits with E_PORT_IN_USE if the port of %s is in use', async (name) => {
    const { url } = await start('serve');
    const env = { DATABASE_URL: own.database.url, [name]: new URL(url).port };
    const { code, stderr } = await runKith(['serve'], { env });
    expect(code).toBe(1);
    expect(failureIn(stderr)).toMatch(new RegExp(`^HOST, ${name}: .*address already in use.* \\[E_PORT_IN_USE\\]$`));
  });
});

const isHeld = ({ participated }: { participated: boolean }) => participated;

/** The sample URLs, once they have been printed. */
async function invitedTo(kith: RunningKith): Promise<string[]> {
  await kith.untilSaid(/Documentation: /);
  return [...kith.stdout().matchAll(/^ {2}(http:\S+)$/gm)].map(([, url = '']) => url);
}
