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
  /** Status 200 with another body. */
  readonly isWrong: boolean;
  readonly ms: number;
}

/** Clients that send requests one after the other and compare the answers. */
export interface Checkers {
  readonly answered: readonly Checked[];
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
      const isWrong = status === 200 && body !== answers.get(path);
      answered.push({ at: performance.now(), status, isWrong, ms });
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
    return {
      requests: some.length,
      right: some.filter(({ status, isWrong }) => status === 200 && !isWrong).length,
      unavailable: some.filter(({ status }) => status === 503).length,
      other,
      wrong: some.filter(({ isWrong }) => isWrong).length,
      p99: percentile(times, 0.99),
      max: times.reduce((most, ms) => Math.max(most, ms), 0),
    };
  };
  return {
    answered,
    since,
    async stop() {
      isOver = true;
      await Promise.all(running);
      return since(0);
    },
  };
}

/** What should not have happened where every request can be answered. */
export function failuresIn({ wrong, unavailable, other }: CheckSummary): string[] {
  const failures: string[] = [];
  if (wrong > 0) failures.push(`${wrong} wrong answers`);
  if (unavailable > 0 || Object.keys(other).length > 0) failures.push(`${unavailable} × 503, ${describeOther(other)}`);
  return failures;
}

export const describeOther = (other: CheckSummary['other']) =>
  Object.entries(other)
    .map(([status, count]) => `${count} × ${status === '0' ? 'connection failed' : status}`)
    .join(', ') || 'none';
