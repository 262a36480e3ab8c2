import { readdirSync, readFileSync } from 'node:fs';
import { sum } from '../numbers.ts';

/** Of `/proc/…/stat`, on every architecture. */
const TICKS_PER_SECOND = 100;

/** CPU seconds of a process and its descendants, without threads that have exited. */
export function cpuSeconds(pid: number): number {
  return processTree(pid).reduce((total, one) => total + cpuNanos(one), 0) / 1e9;
}

/** CPU seconds of the child processes that have exited. */
export function endedCpuSeconds(pid: number): number {
  const [, fields = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const [user, system] = fields.split(' ').slice(13, 15);
  return (Number(user) + Number(system)) / TICKS_PER_SECOND;
}

/** Peak resident memory of a process in megabytes (1,000,000 bytes). */
export function peakMegabytes(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

/** Returns a function that returns the share of CPU steal since this call. */
export function watchCpuSteal(): () => number {
  const before = readTicks();
  return () => {
    const after = readTicks();
    return (after.stolen - before.stolen) / (after.all - before.all);
  };
}

function readTicks(): { all: number; stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  // user, nice, system, idle, iowait, irq, softirq, steal; the guest times after them are included in the first two.
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { all: sum(ticks), stolen: ticks.at(-1) ?? 0 };
}

function processTree(pid: number): number[] {
  const children = tasksOf(pid).flatMap((task) => readFileSync(`${task}/children`, 'utf8').split(' ').filter(Boolean));
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** From schedstat, because `/proc/…/stat` has a resolution of 10 ms. */
function cpuNanos(pid: number): number {
  return tasksOf(pid).reduce(
    (total, task) => total + Number.parseInt(readFileSync(`${task}/schedstat`, 'utf8'), 10),
    0,
  );
}

function tasksOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
}
