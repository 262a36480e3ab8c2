import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { makeDataSet } from '../harness/data-sets.ts';
import { cpuSeconds, peakMegabytes } from '../harness/process-stats.ts';
import { type Server, startKith } from '../harness/processes.ts';
import { whole } from '../numbers.ts';
import type { Bench } from '../parts/part.ts';
import { CLONE } from '../paths.ts';
import { type AdvisedBar, atLeast, atMost, below, type Findings } from '../report/findings.ts';
import { drawBlocks } from '../writes/draw-ops.ts';
import { type LiveChain, openLiveChain } from '../writes/live-chain.ts';
import type { Deliveries, ReadersCommand } from './readers-process.ts';

/** The same clock in all processes of the machine. */
const now = () => performance.timeOrigin + performance.now();

const BLOCKS = 40;
const BLOCK_MS = 250;
const SETTLE_MS = 2_000;
const ALL_LISTS = '/api/v1/events?lists=all';
const SETTINGS = {
  MAX_EVENT_STREAMS: '20000',
  MAX_EVENT_STREAMS_PER_CLIENT: '20000',
  MAX_CONNECTIONS: '20000',
  MAX_CONNECTIONS_PER_CLIENT: '20000',
};

/** Event streams: from the commit of a block to the client, CPU time of a delivery, memory, and a whole history. */
export async function measureEvents({ options, log }: Bench): Promise<Findings> {
  const dataSet = await makeDataSet(CLONE, options.accounts);
  const blocks = drawBlocks(dataSet, 1)[0]?.values() ?? [].values();
  const chain = await openLiveChain(dataSet.path);
  const bars: AdvisedBar[] = [];
  const rows: string[][] = [];
  try {
    for (const [streams, bar] of [
      [1_000, 100],
      [5_000, 250],
    ] as const) {
      const server = await startKith(CLONE, { DATABASE_URL: dataSet.url, ...SETTINGS });
      try {
        const found = await deliver(server, streams, chain, () => blocks.next().value);
        log(`${streams} streams: ${JSON.stringify(found)}`);
        const { p50, p99, max, micros, kilobytes } = found;
        rows.push([
          whole(streams),
          ...[p50, p99, max].map((ms) => ms.toFixed(0)),
          micros.toFixed(1),
          kilobytes.toFixed(1),
        ]);
        bars.push({
          ...below(`p99 from commit to client, ${whole(streams)} streams`, bar, p99, `${p99.toFixed(0)} ms`),
          advice: 'Look at the time of one turn of the event loop in which all streams are written to.',
        });
        if (streams !== 1_000) continue;
        bars.push({
          ...atLeast('deliveries in a second of CPU time', 30_000, 1e6 / micros, whole(1e6 / micros)),
          advice: 'An event must be serialised once; what remains is the write to a socket.',
        });
        bars.push({
          ...atMost('memory of an idle stream', 20, ' KB', kilobytes, `${kilobytes.toFixed(1)} KB`),
          advice: 'A stream keeps no queue: look at what closures and timers keep.',
        });
      } finally {
        await server.stop();
      }
    }
    const server = await startKith(CLONE, { DATABASE_URL: dataSet.url, ...SETTINGS });
    try {
      const { events, seconds, cpu, megabytes } = await replayAll(server);
      log(
        `history: ${events} events in ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of CPU, ${megabytes.toFixed(0)} MB`,
      );
      const million = (seconds / events) * 1e6;
      bars.push({
        ...below('a history of a million events', 20_000, million * 1_000, `${million.toFixed(1)} s`),
        advice: 'Count what is done for each log: its row, its id and its JSON.',
      });
      rows.push([
        `history of ${whole(events)}`,
        '',
        '',
        `${seconds.toFixed(1)} s`,
        `${((cpu / events) * 1e6).toFixed(1)}`,
        `peak ${megabytes.toFixed(0)} MB`,
      ]);
    } finally {
      await server.stop();
    }
  } finally {
    await chain.rewind();
    await chain.close();
  }
  const note = `${whole(options.accounts)} accounts on SQLite, ${BLOCKS} blocks of one op each ${BLOCK_MS} ms, all streams without a filter. CPU time is that of the server.`;
  const columns = ['streams', 'p50 ms', 'p99 ms', 'max ms', 'CPU µs a delivery', 'KB a stream'];
  return { bars, tables: [{ title: 'Event streams', note, columns, rows }] };
}

type Op = Parameters<LiveChain['apply']>[0][number];

async function deliver(server: Server, streams: number, chain: LiveChain, next: () => Op | undefined) {
  const readers = fork(new URL('./readers-process.ts', import.meta.url), { execArgv: process.execArgv });
  const ask = async <T>(command: ReadersCommand): Promise<T> => {
    readers.send(command);
    const [answer] = await once(readers, 'message');
    return answer as T;
  };
  try {
    await ask({ open: 1, port: server.port, path: ALL_LISTS });
    await setTimeout(SETTLE_MS);
    const before = residentKilobytes(server.pid);
    await ask({ open: streams - 1, port: server.port, path: ALL_LISTS });
    await setTimeout(SETTLE_MS);
    const kilobytes = (residentKilobytes(server.pid) - before) / (streams - 1);
    await ask({ committed: [] });
    const commits: [number, number][] = [];
    const start = cpuSeconds(server.pid);
    for (let i = 0; i < BLOCKS; i++) {
      const op = next();
      if (op === undefined) throw new Error('there are too few ops');
      const block = await chain.apply([op]);
      commits.push([block, now()]);
      await setTimeout(BLOCK_MS);
    }
    await setTimeout(SETTLE_MS);
    const cpu = cpuSeconds(server.pid) - start;
    const deliveries = await ask<Deliveries>({ committed: commits });
    if (deliveries.count !== BLOCKS * streams)
      throw new Error(`${deliveries.count} of ${BLOCKS * streams} were delivered`);
    return { ...deliveries, micros: (cpu / deliveries.count) * 1e6, kilobytes };
  } finally {
    readers.disconnect();
  }
}

function residentKilobytes(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1000;
}

async function replayAll({ port, pid }: Server) {
  const start = performance.now();
  const before = cpuSeconds(pid);
  const headers = { accept: 'application/x-ndjson' };
  const request = http.get({ port, path: `${ALL_LISTS}&since=0&until=now`, headers });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  let events = 0;
  let last = '';
  response.setEncoding('latin1');
  for await (const chunk of response) {
    for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) events += 1;
    last = (last + chunk).slice(-1_000);
  }
  const { sent } = JSON.parse(last.trimEnd().split('\n').at(-1) ?? '');
  if (events !== sent + 2) throw new Error(`${events} lines for ${sent} events`);
  return {
    events: sent,
    seconds: (performance.now() - start) / 1000,
    cpu: cpuSeconds(pid) - before,
    megabytes: peakMegabytes(pid),
  };
}
