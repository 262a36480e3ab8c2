import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process in megabytes (1,000,000 bytes); NaN if it has exited. */
export function residentMegabytes(pid: number): number {
  return megabytes(pid, 'VmRSS');
}

/** Peak resident memory. */
export function peakMegabytes(pid: number): number {
  return megabytes(pid, 'VmHWM');
}

export function openFiles(pid: number): number {
  return readOr(() => readdirSync(`/proc/${pid}/fd`).length, Number.NaN);
}

export function childrenOf(pid: number): number[] {
  return readOr(
    () =>
      readdirSync(`/proc/${pid}/task`).flatMap((task) =>
        readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
      ),
    [],
  );
}

function megabytes(pid: number, field: string): number {
  const status = readOr(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '');
  const [, kib] = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

/** A process may exit at any time. */
function readOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Samples a number until it is stopped. */
export function startSampling(read: () => number, everyMs: number) {
  const samples: (readonly [seconds: number, value: number])[] = [];
  const began = performance.now();
  const sample = () => {
    const value = read();
    if (!Number.isNaN(value)) samples.push([(performance.now() - began) / 1000, value]);
  };
  sample();
  const timer = setInterval(sample, everyMs);
  return {
    samples,
    stop: () => clearInterval(timer),
  };
}
