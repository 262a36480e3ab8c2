import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ANN, ANNS, annsList, BOB, bobsList, follow, logsOf, unfollow } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Answer, Service } from '../support/service.ts';
import { createGate, type Gate } from './gate.ts';
import { Stage, write } from './support.ts';

const followers = `/users/${BOB}/followers`;

describe.each(engines)('at one moment on $name', (engine) => {
  const stage = new Stage(engine);
  afterEach(() => stage.close());

  async function openStore(): Promise<Store> {
    const store = await stage.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, follow(ANNS, BOB)]));
    return store;
  }

  it('equal questions are one query, and all get its answer', async () => {
    const gate = createGate(await openStore());
    const service = await stage.serve(gate.store);
    const answers = await askAtOnce(service, Array(8).fill(followers), gate);
    expect(gate.queries).toBe(1);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[0]?.json.followers).toMatchObject([{ address: ANN }]);
    for (const { headers } of answers) expect(headers.get('x-cache')).toBe('MISS');
  });

  it('equal questions are one query with the cache off as well', async () => {
    const gate = createGate(await openStore());
    const service = await stage.serve(gate.store, { cacheBytes: 0 });
    await askAtOnce(service, Array(8).fill(followers), gate);
    expect(gate.queries).toBe(1);
  });

  it('different questions are a query each', async () => {
    const gate = createGate(await openStore());
    const service = await stage.serve(gate.store);
    const paths = ['', '?limit=5', '?sort=followers', '?cache=fresh'].map((query) => followers + query);
    await askAtOnce(service, paths, gate);
    expect(gate.queries).toBe(paths.length);
  });

  it('a question that fails fails for all who asked it, and is put again later', async () => {
    const store = await openStore();
    const gate = createGate(store);
    const service = await stage.serve(gate.store);
    gate.failure = new Error('out of order');
    const answers = await askAtOnce(service, Array(3).fill(followers), gate);
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500]);
    for (const { text } of answers) expect(text).not.toContain('out of order');
    gate.failure = undefined;
    expect((await service.get(followers)).status).toBe(200);
  });

  it('an answer that a write overtakes is not kept as if it knew of the write', async () => {
    const store = await openStore();
    const gate = createGate(store);
    const service = await stage.serve(gate.store);
    const early = service.get(followers);
    await gate.reached;
    await write(store, [unfollow(ANNS, BOB)]);
    gate.open();
    expect((await early).json.followers).toHaveLength(1);
    expect((await service.get(followers)).json.followers).toEqual([]);
  });

  it('an answer that a write overtakes is not shared with those who ask after the write', async () => {
    const store = await openStore();
    const gate = createGate(store);
    const service = await stage.serve(gate.store);
    const early = service.get(followers);
    await gate.reached;
    await write(store, [unfollow(ANNS, BOB)]);
    const arrived = gate.asked(1);
    const late = service.get(followers);
    await arrived;
    gate.open();
    expect((await early).json.followers).toHaveLength(1);
    expect((await late).json.followers).toEqual([]);
  });
});

/** Asks all of `paths`, opens the gate when all have come in, and gives back the answers. */
async function askAtOnce(service: Service, paths: readonly string[], gate: Gate): Promise<Answer[]> {
  const asked = gate.asked(paths.length);
  const answers = Promise.all(paths.map((path) => service.get(path)));
  await asked;
  gate.open();
  return answers;
}
