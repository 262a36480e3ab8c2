import { runLoad } from '../harness/measure.ts';
import { profileServer, SERVER_PARTS } from '../profile/profile-server.ts';
import type { Table } from '../report/findings.ts';
import type { Bench } from './part.ts';

const PROFILE_MS = 4_000;

/** Requests that have missed a bar, and how the server was started for them. */
export interface Missed {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

/** Shows why bars were missed: where the server's time goes under full load. No table where there is nothing to show. */
export async function profileRequests({ load, tell }: Bench, missed: readonly Missed[]): Promise<Table[]> {
  const rows: string[][] = [];
  for (const { name, env, paths } of missed) {
    tell(`profile of ${name}`);
    const shares = await profileServer(env, (server) => runLoad(load, server, paths, PROFILE_MS));
    const percent = (part: string) => `${((shares.get(part) ?? 0) * 100).toFixed(0)} %`;
    rows.push([name, ...SERVER_PARTS.map(percent)]);
  }
  if (rows.length === 0) return [];
  const note = `Self time of the serving thread over ${PROFILE_MS / 1000} s of full load, without waiting; system calls count for what makes them.`;
  return [{ title: 'Where the time goes in what missed its bar', note, columns: ['request', ...SERVER_PARTS], rows }];
}
