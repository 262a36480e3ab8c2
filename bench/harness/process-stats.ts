import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's CPU time in hundredths of a second, whatever its clock. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process and all that it has started have taken. */
export function cpuSeconds(pid: number): number {
  return family(pid).reduce((total, { ticks }) => total + ticks, 0) / TICKS_PER_SECOND;
}

/** The most memory that one process has had in RAM so far, in megabytes (1,000,000 bytes). */
export function peakMegabytes(pid: number): number {
  const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return (Number(kib) * 1024) / 1e6;
}

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
}

function family(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readStat);
  const members = all.filter((stat) => stat.pid === pid);
  for (const member of members) members.push(...all.filter(({ parent }) => parent === member.pid));
  return members;
}

function readStat(pid: string): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name, in brackets, may hold spaces; what follows does not.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [{ pid: Number(pid), parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
