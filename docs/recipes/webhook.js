// Posts new followers of some accounts to a webhook, each at least once, signed as https://www.standardwebhooks.com says.
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@kith-efp/client';
import { readPosition, writePosition } from './position-file.js';

const {
  KITH_URL = 'http://127.0.0.1:3000',
  ACCOUNTS, // addresses or names, separated by commas
  WEBHOOK_URL,
  WEBHOOK_SECRET = '', // whsec_ and 24 to 64 bytes in base64, which the receiver has too
  POSITION_FILE = 'webhook-position.txt',
} = process.env;
if (!ACCOUNTS || !WEBHOOK_URL || !/^whsec_[\w+/]{32,}=*$/.test(WEBHOOK_SECRET))
  throw new Error('ACCOUNTS, WEBHOOK_URL and WEBHOOK_SECRET (whsec_… in base64) must be set');

const MAX_WAIT_S = 60;
const key = Buffer.from(WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());

const kith = createClient({ baseUrl: KITH_URL });
const filter = {
  account: ACCOUNTS.split(','),
  role: 'target',
  type: 'follow',
  since: await readPosition(POSITION_FILE),
};
const options = {
  // The first position is stored before there is an event: a crash after it loses none.
  progress: true,
  signal: stopping.signal,
  onRetry: (error) => console.error('the stream was interrupted:', error.message),
};
for await (const event of kith.events(filter, options)) {
  if (event.type === 'follow' && !(await deliver(event))) break;
  // Only now: after a crash before this line, the event is sent again, with the same id.
  await writePosition(POSITION_FILE, event.id);
}

/** Tries until the receiver has accepted the event. False if the program is to end. */
async function deliver(event) {
  const id = `follow_${event.chain_id}_${event.block_hash}_${event.log_index}`;
  const body = JSON.stringify({ type: 'follow', timestamp: event.time, data: event });
  for (let seconds = 1; !stopping.signal.aborted; seconds = Math.min(2 * seconds, MAX_WAIT_S)) {
    const problem = await post(id, body).catch((error) => error.message);
    if (problem === null) return true;
    console.error(`${id} was not delivered: ${problem}`);
    await delay(1000 * seconds * Math.random(), null, { signal: stopping.signal }).catch(() => undefined);
  }
  return false;
}

/** Resolves to null, or to what went wrong. */
async function post(id, body) {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
  const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(15_000)]);
  const response = await fetch(WEBHOOK_URL, { method: 'POST', headers, body, signal, redirect: 'error' });
  await response.body?.cancel();
  return response.ok ? null : `status ${response.status}`;
}
