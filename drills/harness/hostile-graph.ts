import { createWriteStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  locationBytes,
  placeLog,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from '../../test/model/encode-log.ts';
import { ZERO_ADDRESS } from '../../test/model/mainnet.ts';
import { follow, tag } from '../../test/model/small-history.ts';
import { type Graph, makeGraph } from './graphs.ts';
import { runKith } from './kith.ts';

export interface HostileGraph {
  readonly graph: Graph;
  readonly url: string;
  /** The account of the list, which is also the manager of many slots. */
  readonly account: string;
  readonly list: string;
  /** By how much the database has grown, relative to the bytes of the list ops. */
  readonly growth: number;
}

const ACCOUNT = `0x${'e'.repeat(40)}` as const;
const LIST = 9_000_000n;
const SLOT: SlotRef = { chainId: 8453, slot: 1n };
/** 255 bytes, as long as a tag can be; a control character has six characters in JSON. */
const TAG_BYTES = 255;
export const tagOf = (i: number) => String(i).padStart(8, '0').padEnd(TAG_BYTES, '\u0001');
export const recordOf = (i: number): `0x${string}` => `0x${(i + 1).toString(16).padStart(40, '0')}`;

/** Logs that anyone can cause. */
function* hostileLogs(records: number, slots: number): Generator<LogBody> {
  yield transfer(ZERO_ADDRESS, ACCOUNT, LIST);
  yield storageLocation(LIST, locationBytes(SLOT));
  yield listMetadata(SLOT, 'user', ACCOUNT);
  yield accountMetadata(ACCOUNT, 'primary-list', word(LIST));
  for (let i = 0; i < records; i++) {
    yield follow(SLOT, recordOf(i));
    yield tag(SLOT, recordOf(i), tagOf(i));
  }
  for (let i = 1; i <= slots; i++) {
    const slot: SlotRef = { chainId: 8453, slot: BigInt(i + 1) };
    yield transfer(ZERO_ADDRESS, recordOf(i), LIST + BigInt(i));
    yield storageLocation(LIST + BigInt(i), locationBytes(slot));
    yield listMetadata(slot, 'manager', ACCOUNT);
  }
}

/** 200 logs per block, after those of the demo graph. */
export function* linesOf(logs: Iterable<LogBody>): Generator<string> {
  let count = 0;
  for (const body of logs) {
    const block = 90_000_000 + Math.floor(count / 200);
    const place = {
      blockNumber: block,
      blockHash: word(BigInt(block)),
      time: 1_770_000_000 + 2 * (block - 90_000_000),
    };
    yield `${JSON.stringify(placeLog(body, { ...place, logIndex: count++ % 200 }))}\n`;
  }
}

/** A demo graph, and a list of unusual size in it. */
export async function makeHostileGraph(folder: string, isQuick: boolean): Promise<HostileGraph> {
  const [records, slots] = isQuick ? [10_000, 4_000] : [150_000, 60_000];
  const graph = await makeGraph(isQuick ? 2_000 : 10_000);
  const inFolder = (name: string) => join(folder, name);
  const [path, usual, hostile] = [inFolder('hostile.db'), inFolder('usual.ndjson'), inFolder('hostile.ndjson')];
  const url = `sqlite:${path}`;
  const importLogs = async (file: string) => {
    await runKith(['import', 'logs', file], { DATABASE_URL: url });
    return statSync(path).size;
  };
  // Logs can be added to a graph that was imported, but not to a demo graph.
  await runKith(['export', 'logs', usual], { DATABASE_URL: graph.url });
  await pipeline(Readable.from(linesOf(hostileLogs(records, slots))), createWriteStream(hostile));
  const growth = -(await importLogs(usual)) + (await importLogs(hostile));
  const opBytes = records * (2 * 24 + TAG_BYTES);
  return { graph, url, account: ACCOUNT, list: String(LIST), growth: growth / opBytes };
}
