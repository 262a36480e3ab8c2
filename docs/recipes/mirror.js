// Mirrors the graph into a SQLite file, and keeps it right over reorgs.
import { createClient } from '@kith-efp/client';
import Database from 'better-sqlite3';

const { KITH_URL = 'http://127.0.0.1:3000', MIRROR_FILE = 'mirror.db' } = process.env;

const db = new Database(MIRROR_FILE);
db.pragma('journal_mode = WAL');
// The current state is in views: what counts is the last event of each list, slot, account or record. After an undo, that is
// an earlier one. `place` is the order within a chain; slots and lists each have their events on one chain.
db.exec(`
  CREATE TABLE IF NOT EXISTS position (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS events (
    chain INTEGER, place INTEGER, type TEXT, account TEXT, list TEXT, slot TEXT, target TEXT, tag TEXT, time TEXT,
    PRIMARY KEY (chain, place)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS by_target ON events (target, slot, place) WHERE target IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_slot ON events (slot, target, place) WHERE slot IS NOT NULL;
  CREATE INDEX IF NOT EXISTS by_type ON events (type) WHERE target IS NULL;

  CREATE VIEW IF NOT EXISTS lists AS
    SELECT list, slot
    FROM (SELECT list, slot, max(place) FROM events WHERE type = 'location' GROUP BY list)
    JOIN (SELECT list, type, max(place) FROM events WHERE type IN ('mint', 'transfer', 'burn') GROUP BY list) USING (list)
    WHERE slot IS NOT NULL AND type <> 'burn';

  -- The primary list of an account is valid if its slot has the account as user.
  CREATE VIEW IF NOT EXISTS primary_lists AS
    SELECT account, list, slot
    FROM (SELECT account, list, max(place) FROM events WHERE type = 'primary' GROUP BY account)
    JOIN lists USING (list)
    JOIN (SELECT slot, account, max(place) FROM events WHERE type = 'user' GROUP BY slot) USING (slot, account);

  CREATE VIEW IF NOT EXISTS records AS
    SELECT slot, target
    FROM (SELECT slot, target, type, max(place) FROM events WHERE type IN ('follow', 'unfollow') GROUP BY slot, target)
    WHERE type = 'follow';

  -- The removal of a record removes its tags too.
  CREATE VIEW IF NOT EXISTS tags AS
    SELECT slot, target, tag
    FROM (
      SELECT slot, target, tag, type, max(place) AS place FROM events WHERE tag IS NOT NULL GROUP BY slot, target, tag
    ) AS last
    WHERE type IN ('tag', 'block', 'mute') AND NOT EXISTS (
      SELECT 1 FROM events
      WHERE slot = last.slot AND target = last.target AND type = 'unfollow' AND place > last.place
    );

  CREATE VIEW IF NOT EXISTS edges AS
    SELECT account AS source, target, slot FROM primary_lists JOIN records USING (slot) WHERE target <> account;

  CREATE VIEW IF NOT EXISTS follows AS
    SELECT source, target FROM edges
    WHERE NOT EXISTS (
      SELECT 1 FROM tags
      WHERE slot = edges.slot AND target = edges.target AND tag IN ('block', 'mute')
    );
`);

/** More than a block has logs. */
const LOGS_PER_BLOCK = 1_000_000;
const insert = db.prepare('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
const removeAbove = db.prepare('DELETE FROM events WHERE chain = ? AND place >= ?');
const savePosition = db.prepare('INSERT OR REPLACE INTO position VALUES (1, ?)');

/** The event and its position are committed together, so that none is lost or applied twice. */
const apply = db.transaction((event) => {
  if (event.type === 'undo') removeAbove.run(event.chain_id, (event.block + 1) * LOGS_PER_BLOCK);
  else if (event.type !== 'progress') {
    const { chain_id, type, account, list = null, slot, target = null, tag = null, time } = event;
    const place = event.block * LOGS_PER_BLOCK + event.log_index;
    const slotKey = slot ? `${slot.chain_id}/${slot.contract}/${slot.slot}` : null;
    insert.run(chain_id, place, type, account, list, slotKey, target, tag, time);
  }
  savePosition.run(event.id);
});

const stored = db.prepare('SELECT id FROM position').get();
const kith = createClient({ baseUrl: KITH_URL });
const onRetry = (error) => console.error('the stream was interrupted:', error.message);
// Of all lists: a list may become a primary list long after its records were written.
const filter = { lists: 'all', since: stored?.id ?? '0' };
for await (const event of kith.events(filter, { progress: true, onRetry })) apply(event);
