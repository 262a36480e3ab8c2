// Mirrors the graph into a SQLite file, and keeps it right over reorgs.
import { createClient } from '@kith-efp/client';
import Database from 'better-sqlite3';

const { KITH_URL = 'http://127.0.0.1:3000', MIRROR_FILE = 'mirror.db' } = process.env;

const db = new Database(MIRROR_FILE);
db.pragma('journal_mode = WAL');
// A power failure may undo the last commits, but position and events together.
db.pragma('synchronous = NORMAL');
// The current state is in views: what counts is the last event of each list, slot, account or record. After an undo, that is
// an earlier one. `place` is the order within a chain; what is compared by it is on one chain.
db.exec(`
  CREATE TABLE IF NOT EXISTS position (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (
    chain INTEGER, place INTEGER, type TEXT, account TEXT, list TEXT, slot TEXT, target TEXT, tag TEXT, time TEXT,
    PRIMARY KEY (chain, place)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS by_account ON events (account, type, place) WHERE account IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_list ON events (list, type, place) WHERE list IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_slot ON events (slot, target, place) WHERE slot IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_target ON events (target) WHERE target IS NOT NULL;

  CREATE VIEW IF NOT EXISTS lists AS
    SELECT list, slot FROM events AS e
    WHERE type = 'location' AND slot IS NOT NULL AND target IS NULL
      AND NOT EXISTS (SELECT 1 FROM events WHERE list = e.list AND type = 'location' AND place > e.place)
      AND 'burn' <> (
        SELECT type FROM events WHERE list = e.list AND type IN ('mint', 'transfer', 'burn') ORDER BY place DESC LIMIT 1
      );

  -- The primary list of an account is valid if its slot has the account as user.
  CREATE VIEW IF NOT EXISTS primary_lists AS
    SELECT e.account, list, lists.slot FROM events AS e JOIN lists USING (list)
    WHERE type = 'primary'
      AND NOT EXISTS (SELECT 1 FROM events WHERE account = e.account AND type = 'primary' AND place > e.place)
      AND e.account = (
        SELECT account FROM events WHERE slot = lists.slot AND target IS NULL AND type = 'user' ORDER BY place DESC LIMIT 1
      );

  CREATE VIEW IF NOT EXISTS records AS
    SELECT slot, target FROM events AS e
    WHERE type = 'follow' AND NOT EXISTS (
      SELECT 1 FROM events
      WHERE slot = e.slot AND target = e.target AND place > e.place AND type IN ('follow', 'unfollow')
    );

  -- The removal of a record removes its tags too.
  CREATE VIEW IF NOT EXISTS tags AS
    SELECT slot, target, tag FROM events AS e
    WHERE type IN ('tag', 'block', 'mute') AND NOT EXISTS (
      SELECT 1 FROM events
      WHERE slot = e.slot AND target = e.target AND place > e.place AND (type = 'unfollow' OR tag = e.tag)
    );

  CREATE VIEW IF NOT EXISTS edges AS
    SELECT account AS source, target, slot FROM primary_lists JOIN records USING (slot) WHERE target <> account;

  CREATE VIEW IF NOT EXISTS follows AS
    SELECT source, target FROM edges
    WHERE NOT EXISTS (
      SELECT 1 FROM tags WHERE slot = edges.slot AND target = edges.target AND tag IN ('block', 'mute')
    );
`);

/** More than a block has logs. */
const LOGS_PER_BLOCK = 1_000_000;
const insert = db.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
const removeAbove = db.prepare('DELETE FROM events WHERE chain = ? AND place >= ?');
const savePosition = db.prepare('INSERT OR REPLACE INTO position VALUES (1, ?)');

function apply(event) {
  if (event.type === 'undo') removeAbove.run(event.chain_id, (event.block + 1) * LOGS_PER_BLOCK);
  if (event.type === 'undo' || event.type === 'progress') return;
  const { chain_id, block, log_index, type, slot, target = null, tag = null, time } = event;
  const place = block * LOGS_PER_BLOCK + log_index;
  const slotKey = slot ? `${slot.chain_id}/${slot.contract}/${slot.slot}` : null;
  // Account and list of a list op are those of the moment: they may change without an event of this slot.
  const [account, list] = target === null ? [event.account, event.list] : [null, null];
  insert.run(chain_id, place, type, account, list, slotKey, target, tag, time);
}

/** How long events are collected: a transaction for each takes several times as long. */
const COLLECT_MS = 50;
let collected = [];
/** Events and the position after them are committed together, so that none is lost or applied twice. */
const commit = db.transaction(() => {
  for (const event of collected) apply(event);
  savePosition.run(collected.at(-1).id);
  collected = [];
});

const stored = db.prepare('SELECT id FROM position').get();
const kith = createClient({ baseUrl: KITH_URL });
const onRetry = (error) => console.error('the stream was interrupted:', error.message);
// Of all lists: a list may become a primary list long after its records were written.
const filter = { lists: 'all', since: stored?.id ?? '0' };
for await (const event of kith.events(filter, { progress: true, onRetry }))
  if (collected.push(event) === 1) setTimeout(commit, COLLECT_MS);
