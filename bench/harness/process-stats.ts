import { readdirSync, readFileSync } from 'node:fs';
import { sum } from '../numbers.ts';

/** CPU seconds that a process and all that it has started have taken, in threads that have not ended. */
export function cpuSeconds(pid: number): number {
  return family(pid).reduce((total, one) => total + cpuNanos(one), 0) / 1e9;
}

/** The most memory that one process has had in RAM so far, in megabytes (1,000,000 bytes). */
export function peakMegabytes(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

/** Starts a watch on the machine; read, it tells the share of its time that the host has given to others since. */
export function watchStolen(): () => number {
  const before = readTicks();
  return () => {
    const after = readTicks();
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}

function readTicks(): { all: number; stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first two.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: sum(ticks), stolen: ticks.at(-1) ?? 0 };
}

function family(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean));
  return [pid, ...children.flatMap((child) => family(Number(child)))];
}

/** Not of `/proc/…/stat`, which counts in hundredths of a second. */
function cpuNanos(pid: number): number {
  return tasksOf(pid).reduce(
    (total, task) => total + Number.parseInt(readFileSync(`${task}/schedstat`, 'utf8'), 10),
    0,
  );
}

function tasksOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
}
