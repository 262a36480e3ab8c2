import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { createNameResolver, RESULT_TTL_MS } from '../../../src/names/on-demand/name-resolver.ts';
import { createRequestContext } from '../../../src/remote/request-context.ts';
import { createSourceQueue } from '../../../src/remote/source-queue.ts';
import { createEndpoint } from '../../../src/rpc/endpoint.ts';
import { useOwnDatabase } from '../../store/own-database.ts';
import { anyEngine } from '../../support/engines.ts';
import { accountOf, NOW } from '../accounts.ts';
import { createClientOf } from '../ens/client-of.ts';
import { startFakeEnsNode } from '../ens/fake-ens-node.ts';

const LONG_TIMEOUT_MS = 30_000;
const sleep = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });
const HOUR_MS = 3_600_000;
const ada = accountOf(1);

describe.each(anyEngine)('createNameResolver on $name', (engine) => {
  const own = useOwnDatabase(engine);

  /** A resolver whose source answers one lookup at a time. */
  async function open({ deadlineMs = LONG_TIMEOUT_MS } = {}) {
    const store = await own.open();
    const node = await startFakeEnsNode();
    onTestFinished(node.stop);
    node.addForward('ada.eth', ada);
    const clock = { now: NOW, monotonic: 1 };
    const now = () => clock.now;
    const monotonic = () => clock.monotonic;
    const queue = createSourceQueue({
      ...{ name: 'ens', concurrency: 1, callsPerSecond: 1_000, maxWaiting: 100, maxWaitMs: LONG_TIMEOUT_MS },
      ...{ monotonic, logger: { warn: vi.fn() }, metrics: { rejected: vi.fn() } },
    });
    const endpoint = createEndpoint({ url: node.url, fetch, timeoutMs: LONG_TIMEOUT_MS });
    const resolver = createNameResolver({
      source: createChainSource({ client: createClientOf(endpoint), ccip: null, now }),
      store,
      renew: async () => undefined,
      ask: queue.ask,
      maxAgeMs: HOUR_MS,
      deadlineMs,
      sleep,
      now,
      monotonic,
      logger: { info: vi.fn(), warn: vi.fn() },
    });
    const resolveAs = (client: string, name: string) =>
      createRequestContext(() => client)(() => resolver.addressOf(name, { fresh: false }));
    const asked = () => node.requests.map(({ query }) => query);
    return { node, clock, queue, resolveAs, asked };
  }

  it('asks for a name when it is the turn of any client that waits for it', async () => {
    const { node, queue, resolveAs, asked } = await open();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const running = queue.ask(() => released);
    const names = ['a.eth', 'b.eth', 'c.eth', 'ada.eth'];
    const hostile = names.map((name) => resolveAs('hostile', name));
    const honest = resolveAs('honest', 'ada.eth');
    release();
    await running;
    expect(await honest).toBe(ada);
    expect(asked().indexOf('ada.eth')).toBeLessThan(3);
    expect(await Promise.all(hostile)).toEqual([null, null, null, ada]);
    expect(node.requests).toHaveLength(4);
  });

  it('asks for a name although another request has not had its turn in time', async () => {
    const { queue, resolveAs } = await open({ deadlineMs: 1_000 });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const running = queue.ask(() => released);
    await expect(resolveAs('a', 'ada.eth')).rejects.toThrow('timed out');
    release();
    await running;
    expect(await resolveAs('b', 'ada.eth')).toBe(ada);
  });

  it('keeps a resolution after the system clock was set back', async () => {
    const { clock, resolveAs, asked } = await open();
    clock.now += HOUR_MS;
    await resolveAs('a', 'ada.eth');
    clock.now -= HOUR_MS;
    clock.monotonic += RESULT_TTL_MS + 1;
    await resolveAs('a', 'ada.eth');
    await resolveAs('a', 'ada.eth');
    expect(asked()).toEqual(['ada.eth', 'ada.eth']);
  });
});
