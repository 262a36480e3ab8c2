import { describe, expect, it } from 'vitest';
import { startKith } from '../commands/run-kith.ts';
import { write } from '../http/support.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { anyEngine } from '../support/engines.ts';
import { waitFor } from '../support/wait-for.ts';
import { openStream } from './event-client.ts';
import { BOB, CAT, followOf, MINT } from './event-logs.ts';

const LISTENING = /"pid":(\d+)[^\n]*Server listening/g;

describe.each(anyEngine)('event streams of two workers on $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  it('have the events of other processes, survive a killed worker, and end when the service stops', async () => {
    const store = await own.open();
    await write(store, MINT);
    const kith = await startKith('serve', { DATABASE_URL: own.database.url, WORKERS: '2', SHUTDOWN_DELAY_S: '2' });
    const workers = () => [...kith.stderr().matchAll(LISTENING)].map(([, pid]) => Number(pid));
    await waitFor(() => expect(workers()).toHaveLength(2));
    const streams = await Promise.all(Array.from({ length: 6 }, () => openStream(kith.url)));
    await waitFor(() => expect(streams.every(({ items }) => items.length > 0)).toBe(true));
    await write(store, [followOf(BOB)]);
    for (const stream of streams) expect(await stream.until(1)).toMatchObject([{ type: 'follow', target: BOB }]);

    process.kill(workers()[0] ?? 0, 'SIGKILL');
    await waitFor(() => expect(streams.some(({ isEnded }) => isEnded())).toBe(true));
    await write(store, [followOf(CAT)]);
    const follow = { type: 'follow', target: CAT };
    for (const [i, stream] of streams.entries()) {
      await waitFor(() => expect(stream.isEnded() || stream.events.length === 2).toBe(true));
      if (stream.isEnded()) {
        const resumed = await openStream(kith.url, { headers: { 'last-event-id': stream.lastId() } });
        expect(await resumed.until(1)).toMatchObject([follow]);
        streams[i] = resumed;
      } else expect(stream.events[1]).toMatchObject(follow);
    }

    kith.signal('SIGTERM');
    for (const stream of streams) await stream.untilEnd();
    const ends = streams.map(({ items }) => items.at(-1));
    for (const end of ends) expect(end).toEqual({ type: 'retry', ms: expect.any(Number) });
    expect(ends.every(({ ms }) => ms >= 2_000)).toBe(true);
    expect((await kith.ended()).code).toBe(0);
  });
});
