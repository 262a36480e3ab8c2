import { percentile, sleep } from './numbers.ts';
import { createAgent, request } from './request.ts';

/** Known answers by path. */
export type Answers = ReadonlyMap<string, string>;

/** Reads the answers of a server that is known to be right. */
export async function readAnswers(port: number, paths: readonly string[]): Promise<Answers> {
  const agent = createAgent();
  const answers = new Map<string, string>();
  for (const path of paths) {
    const { status, body } = await request(port, path, { agent });
    if (status !== 200) throw new Error(`${path}: status ${status}: ${body}`);
    answers.set(path, body);
  }
  agent.destroy();
  return answers;
}

interface Checked {
  /** When it was answered. */
  readonly at: number;
  readonly status: number;
  readonly ms: number;
}

/** Clients that send requests one after the other and compare the answers. */
export interface Checkers {
  readonly answered: readonly Checked[];
  /** Paths with status 200 and another body. */
  readonly wrong: readonly string[];
  /** Answers and failures since a time. */
  since(at: number): CheckSummary;
  stop(): Promise<CheckSummary>;
}

export interface CheckSummary {
  readonly requests: number;
  readonly right: number;
  readonly unavailable: number;
  /** By status, 0 for a failed connection or a timeout. */
  readonly other: Readonly<Record<string, number>>;
  readonly wrong: number;
  readonly p99: number;
  readonly max: number;
}

export function startCheckers(
  port: number,
  answers: Answers,
  { clients, pauseMs = 0, timeoutMs = 60_000 }: { clients: number; pauseMs?: number; timeoutMs?: number },
): Checkers {
  const paths = [...answers.keys()];
  const answered: Checked[] = [];
  const wrong: string[] = [];
  let isOver = false;
  let next = 0;
  const check = async () => {
    const agent = createAgent();
    while (!isOver) {
      // Safe: the remainder is an index.
      const path = paths[next % paths.length] as string;
      // Every second request has a parameter that makes it different, so that it is not answered from the cache.
      const unique = next++ % 2 === 0 ? '' : `${path.includes('?') ? '&' : '?'}drill=${next}`;
      const { status, body, ms } = await request(port, path + unique, { agent, timeoutMs });
      answered.push({ at: performance.now(), status, ms });
      if (status === 200 && body !== answers.get(path)) wrong.push(path);
      // A refused connection fails at once.
      await sleep(status === 0 ? Math.max(pauseMs, 20) : pauseMs);
    }
    agent.destroy();
  };
  const running = Array.from({ length: clients }, check);
  const since = (from: number): CheckSummary => {
    const some = answered.filter(({ at }) => at >= from);
    const other: Record<string, number> = {};
    for (const { status } of some) if (status !== 200 && status !== 503) other[status] = (other[status] ?? 0) + 1;
    const times = some.map(({ ms }) => ms);
    const right = some.filter(({ status }) => status === 200).length;
    return {
      requests: some.length,
      right: right - (from === 0 ? wrong.length : 0),
      unavailable: some.filter(({ status }) => status === 503).length,
      other,
      wrong: wrong.length,
      p99: percentile(times, 0.99),
      max: times.reduce((most, ms) => Math.max(most, ms), 0),
    };
  };
  return {
    answered,
    wrong,
    since,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return since(0);
    },
  };
}

export const describeOther = (other: CheckSummary['other']) =>
  Object.entries(other)
    .map(([status, count]) => `${count} × ${status === '0' ? 'connection failed' : status}`)
    .join(', ') || 'none';
