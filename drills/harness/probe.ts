import { percentile, sleep } from './numbers.ts';
import { type Answer, request } from './request.ts';

export interface Sample extends Answer {
  /** When it was sent, in milliseconds of `performance.now()`. */
  readonly at: number;
}

/** Requests that are sent at a constant rate, whether or not earlier ones have been answered. */
export interface Probe {
  readonly samples: readonly Sample[];
  /** Waits for the last answers. */
  stop(): Promise<ProbeSummary>;
}

interface ProbeSummary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Answers with a status other than 200, and requests without an answer. */
  readonly failed: number;
}

interface ProbeOptions {
  readonly everyMs: number;
  readonly timeoutMs?: number;
}

/** Each request has a new connection, as the probes of most orchestrators. */
export function startProbe(port: number, path: string, { everyMs, timeoutMs = 10_000 }: ProbeOptions): Probe {
  const samples: Sample[] = [];
  const pending = new Set<Promise<void>>();
  let isOver = false;
  const send = () => {
    const at = performance.now();
    const sent = request(port, path, { timeoutMs }).then((answer) => {
      samples.push({ ...answer, at });
      pending.delete(sent);
    });
    pending.add(sent);
  };
  const run = (async () => {
    while (!isOver) {
      send();
      await sleep(everyMs);
    }
  })();
  return {
    samples,
    async stop() {
      isOver = true;
      await run;
      await Promise.all(pending);
      return summarise(samples);
    },
  };
}

function summarise(samples: readonly Answer[]): ProbeSummary {
  const times = samples.map(({ ms }) => ms);
  return {
    count: samples.length,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    max: Math.max(0, ...times),
    failed: samples.filter(({ status }) => status !== 200).length,
  };
}
