// Reports to a Telegram chat what some accounts do.
import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from '@kith-efp/client';
import { readPosition, writePosition } from './position-file.js';

const {
  KITH_URL = 'http://127.0.0.1:3000',
  ACCOUNTS, // addresses or names, separated by commas
  BOT_TOKEN,
  CHAT_ID,
  BOT_API_URL = 'https://api.telegram.org',
  POSITION_FILE = 'bot-position.txt',
} = process.env;
if (!ACCOUNTS || !BOT_TOKEN || !CHAT_ID) throw new Error('ACCOUNTS, BOT_TOKEN and CHAT_ID must be set');

const MAX_WAIT_S = 60;
/** The longest text of a message. */
const MAX_LENGTH = 4096;
/** Reported events that an undo is compared with. */
const MAX_REPORTED = 1000;

const VERBS = {
  follow: 'followed',
  unfollow: 'unfollowed',
  block: 'blocked',
  unblock: 'unblocked',
  mute: 'muted',
  unmute: 'unmuted',
};

const kith = createClient({ baseUrl: KITH_URL });
let reported = [];
const filter = { account: ACCOUNTS.split(','), role: 'source', since: await readPosition(POSITION_FILE) };
const onRetry = (error) => console.error('the stream was interrupted:', error.message);
for await (const event of kith.events(filter, { progress: true, onRetry })) {
  if (event.type === 'undo') await takeBack(event);
  else if (event.type !== 'progress') {
    const text = await describe(event);
    await send(text);
    reported = [...reported, { ...event, text }].slice(-MAX_REPORTED);
  }
  await writePosition(POSITION_FILE, event.id);
}

/** An undo is of a whole chain: most of them void nothing that this bot has reported. */
async function takeBack({ chain_id, block }) {
  const isVoid = (event) => event.chain_id === chain_id && event.block > block;
  for (const { text } of reported.filter(isVoid)) await send(`Undone by a reorg: ${text}`);
  reported = reported.filter((event) => !isVoid(event));
}

async function describe(event) {
  const who = event.name || event.account;
  if (!('target' in event)) return `${who}: ${event.type} of list ${event.list || 'none'}`;
  const target = await nameOf(event.target);
  if (event.type === 'tag') return `${who} tagged ${target} as “${event.tag}”`;
  if (event.type === 'untag') return `${who} removed the tag “${event.tag}” from ${target}`;
  return `${who} ${VERBS[event.type]} ${target}`;
}

async function nameOf(address) {
  try {
    const { ens } = await kith.get('/users/{addressOrENS}/ens', { addressOrENS: address });
    return ens.name || address;
  } catch (error) {
    console.error('no name:', error.message);
    return address;
  }
}

/** Sends a plain text, so that no name and no tag is read as markup. */
async function send(text) {
  const body = JSON.stringify({ chat_id: CHAT_ID, text: text.slice(0, MAX_LENGTH) });
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, MAX_WAIT_S)) {
    const answer = await post(body);
    if (answer.ok) return;
    console.error(`not sent: ${answer.description}`);
    // A wrong token, a chat that does not exist or a bot that was blocked: no retry mends it.
    const isLasting = answer.error_code >= 400 && answer.error_code < 500 && answer.error_code !== 429;
    if (isLasting) throw new Error(`the bot cannot send: ${answer.description}`);
    await delay(1000 * (answer.parameters?.retry_after ?? seconds));
  }
}

/** The answer of the bot API. No text says the URL, because the token is in it. */
async function post(body) {
  const headers = { 'content-type': 'application/json' };
  try {
    const init = { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) };
    const response = await fetch(`${BOT_API_URL}/bot${BOT_TOKEN}/sendMessage`, init);
    const text = await response.text();
    return text.startsWith('{') ? JSON.parse(text) : { ok: false, description: `status ${response.status}` };
  } catch (error) {
    return { ok: false, description: error.message };
  }
}
