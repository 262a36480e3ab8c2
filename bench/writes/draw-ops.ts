import Database from 'better-sqlite3';
import { encodeOp } from '../../src/demo/demo-logs.ts';
import { BASE } from '../../src/demo/lists.ts';
import { choose, createRandom } from '../../src/demo/random.ts';
import { type Address, type Hex, textToHex } from '../../src/protocol/hex.ts';
import { type DataSet, SUBJECTS, type Subject } from '../harness/data-sets.ts';
import { createDraw } from '../harness/requests.ts';

/** A list op and its slot. */
export interface LiveOp {
  readonly slot: Hex;
  readonly op: Hex;
}

const OPS_PER_BLOCK = 200;
const FOLLOW_SHARE = 0.6;
const UNFOLLOW_SHARE = 0.2;
const TAGS = ['top8', 'gm', 'frens', 'block'].map(textToHex);

/** Random blocks: random accounts follow popular accounts, and unfollow or tag accounts that they follow. */
export function drawBlocks({ path }: DataSet, count: number): LiveOp[][] {
  const db = new Database(path, { readonly: true });
  try {
    // Safe, here and below: the statements select these columns.
    const slots = db
      .prepare('select key from slots join accounts on accounts.active_slot = slots.id where key like ?')
      .pluck()
      .all(`${BASE}/%`) as string[];
    const recordsOf = db
      .prepare(
        `select accounts.address from slots join records on records.slot = slots.id
           join accounts on accounts.id = records.account where slots.key = ? limit 20`,
      )
      .pluck();
    const random = createRandom(5);
    const draw = createDraw(db.prepare(SUBJECTS).all() as Subject[], 5);
    const drawOp = (): LiveOp => {
      const key = choose(slots, random());
      const slot = key.slice(key.lastIndexOf('/') + 1) as Hex;
      const what = random();
      const records = what < FOLLOW_SHARE ? [] : (recordsOf.all(key) as Address[]);
      if (records.length === 0) return { slot, op: encodeOp(1, draw.subject().address as Address) };
      const record = choose(records, random());
      if (what < FOLLOW_SHARE + UNFOLLOW_SHARE) return { slot, op: encodeOp(2, record) };
      return { slot, op: encodeOp(3, record, choose(TAGS, random())) };
    };
    return Array.from({ length: count }, () => Array.from({ length: OPS_PER_BLOCK }, drawOp));
  } finally {
    db.close();
  }
}
