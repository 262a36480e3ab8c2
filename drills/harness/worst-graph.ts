import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LogBody, SlotRef } from '../../test/model/encode-log.ts';
import { follow, ownList, tag } from '../../test/model/small-history.ts';
import { linesOf, recordOf, tagOf } from './hostile-graph.ts';
import { runKith } from './kith.ts';

export interface WorstGraph {
  readonly url: string;
  readonly list: string;
  /** Followed by the accounts of many lists. */
  readonly target: string;
  /** The accounts of those lists, which have the longest profiles. */
  readonly followers: readonly string[];
}

const LIST = 1_000_000n;
const slotOf = (i: number): SlotRef => ({ chainId: 8453, slot: BigInt(i) });
/** One more than an entry shows. */
const TAGS = 101;

/** Lists whose accounts follow the target, and one list whose records are these accounts, each with many long tags. */
function* worstLogs(followers: number, tagsOfOne: number): Generator<LogBody> {
  const target = recordOf(0);
  yield* ownList(target, LIST, slotOf(0));
  for (let i = 1; i <= followers; i++) {
    yield* ownList(recordOf(i), LIST + BigInt(i), slotOf(i));
    yield follow(slotOf(i), target);
    yield follow(slotOf(0), recordOf(i));
    for (let t = 0; t < TAGS; t++) {
      yield tag(slotOf(i), target, tagOf(t));
      yield tag(slotOf(0), recordOf(i), tagOf(t));
    }
  }
  for (let t = 0; t < tagsOfOne; t++) yield tag(slotOf(0), recordOf(1), tagOf(t));
}

export async function makeWorstGraph(folder: string, isQuick: boolean): Promise<WorstGraph> {
  const [followers, tagsOfOne] = isQuick ? [100, 2_000] : [1_000, 20_000];
  const [logs, profiles] = ['worst.ndjson', 'profiles.ndjson'].map((name) => join(folder, name)) as [string, string];
  const url = `sqlite:${join(folder, 'worst.db')}`;
  await pipeline(Readable.from(linesOf(worstLogs(followers, tagsOfOne))), createWriteStream(logs));
  const addresses = Array.from({ length: followers }, (_, i) => recordOf(i + 1));
  const lines = addresses.map((address, i) =>
    JSON.stringify({ address, name: `worst${i}.eth`, avatar: 'x'.repeat(15_000), fresh: Date.now() }),
  );
  writeFileSync(profiles, `${lines.join('\n')}\n`);
  await runKith(['import', 'logs', logs], { DATABASE_URL: url });
  await runKith(['import', 'profiles', profiles], { DATABASE_URL: url });
  return { url, list: String(LIST), target: recordOf(0), followers: addresses };
}
