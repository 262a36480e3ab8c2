import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { placeLog, word } from '../model/encode-log.ts';
import { ANNS, annsList, follow, START, tag } from '../model/small-history.ts';
import { loadLogs } from '../support/load.ts';

/** As long as an op allows, and six times as long in JSON. */
const TAG = '\u0001'.repeat(200);
const RECORDS = 600;
const TAGS_PER_RECORD = 10;
const records = Array.from({ length: RECORDS }, (_, i): `0x${string}` => `0x${(i + 1).toString(16).padStart(40, '0')}`);

/** About 7 MB, which is more than the buffers of a connection take. */
export const LONG_PATH = '/api/v1/exportState/0';

/** Gives Ann a list whose export is long. */
export async function loadLongList(store: Store): Promise<void> {
  const ops = records.flatMap((record, i) => [
    follow(ANNS, record),
    ...Array.from({ length: TAGS_PER_RECORD }, (_, j) => tag(ANNS, record, `${i}-${j}${TAG}`)),
  ]);
  const place = { blockNumber: 1000, blockHash: word(1000n), time: START };
  await loadLogs(
    store,
    [...annsList, ...ops].map((body, logIndex) => placeLog(body, { ...place, logIndex })),
  );
}

/** A response that the client does not read until it calls `read`. */
export interface Unread {
  readonly response: IncomingMessage;
  read(): Promise<string>;
}

/** Requests a path, and resolves with the headers of the response. */
export async function requestUnread(url: string, path = LONG_PATH): Promise<Unread> {
  const request = get(url + path, { agent: false });
  onTestFinished(() => void request.destroy());
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return {
    response,
    async read() {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      return text;
    },
  };
}
