import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const HEADERS = { accept: 'application/x-ndjson' };
const ALL = '/api/v1/events?lists=all';
/** Clients connect again within this time, each at another moment. */
const RETRY_MS = 500;

interface Line {
  readonly type: string;
  readonly id?: string;
  readonly chain_id: number;
  readonly block: number;
  readonly block_hash: string;
  readonly log_index: number;
  readonly target?: string;
  readonly tag?: string;
}

const keyOf = ({ chain_id, block, block_hash, log_index, type, target, tag }: Line) =>
  [chain_id, block, block_hash, log_index, type, target, tag].join(' ');

/** Passes on the lines of a response; resolves when it has ended, for whatever reason. */
function readLines(port: number, query: string, onLine: (line: Line) => void, agent: http.Agent): Promise<void> {
  return new Promise((resolve) => {
    const request = http.get({ port, path: `${ALL}&${query}`, headers: HEADERS, agent }, (response) => {
      let rest = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n');
        rest = lines.pop() ?? '';
        if (response.statusCode === 200) for (const line of lines) if (line !== '') onLine(JSON.parse(line));
      });
      response.once('error', () => resolve()).once('close', resolve);
    });
    request.once('error', () => resolve());
  });
}

const isEvent = ({ type }: Line) => !['progress', 'problem', 'undo'].includes(type);

/** The events of all stored logs. */
export async function readHistory(port: number): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await readLines(port, 'since=0&until=now', (line) => isEvent(line) && found.add(keyOf(line)), http.globalAgent);
  return found;
}

/** Clients that apply what they are sent, and go on from their last id when a connection ends. */
export function createEventClients(count: number, port: () => number) {
  const counts = { connections: 0, undone: 0, repeated: 0 };
  /** Texts of keys, which all clients share. */
  const places = new Map<string, Pick<Line, 'chain_id' | 'block'> & { key: string }>();
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY });
  const clients = Array.from({ length: count }, () => new Set<string>());
  let isOver = false;

  async function run(events: Set<string>): Promise<void> {
    let id = '0';
    const take = (line: Line) => {
      id = line.id ?? id;
      if (line.type === 'undo') {
        counts.undone += 1;
        for (const key of events) {
          const place = places.get(key);
          if (place?.chain_id === line.chain_id && place.block > line.block) events.delete(key);
        }
      } else if (isEvent(line)) {
        const text = keyOf(line);
        const { key } = places.get(text) ?? { key: text };
        places.set(key, { chain_id: line.chain_id, block: line.block, key });
        if (events.has(key)) counts.repeated += 1;
        events.add(key);
      }
    };
    while (!isOver) {
      counts.connections += 1;
      await readLines(port(), `since=${id}`, take, agent);
      if (!isOver) await delay(Math.random() * RETRY_MS);
    }
  }

  const running = clients.map(run);
  return {
    counts: () => counts,
    /** How many clients do not have exactly these events. */
    different: (history: ReadonlySet<string>) =>
      clients.filter((events) => events.size !== history.size || [...events].some((key) => !history.has(key))).length,
    async stop(): Promise<void> {
      isOver = true;
      agent.destroy();
      await Promise.all(running);
    },
  };
}
