import { runLoad } from '../harness/measure.ts';
import { profileServer, SERVER_PARTS } from '../profile/profile-server.ts';
import type { Table } from '../report/findings.ts';
import type { Bench } from './part.ts';

const PROFILE_MS = 4_000;
/** A fault of the machine or of one layer misses nearly all bars. */
const MAX_PROFILES = 12;

/** Requests that missed a bar, and the environment of their server. */
export interface Missed {
  readonly name: string;
  readonly env: Readonly<Record<string, string>>;
  readonly paths: readonly string[];
}

/** CPU profiles of the server under full load, for the first missed bars. Returns no table if there are none. */
export async function profileRequests({ load, log }: Bench, missed: readonly Missed[]): Promise<Table[]> {
  const rows: string[][] = [];
  for (const { name, env, paths } of missed.slice(0, MAX_PROFILES)) {
    log(`profile of ${name}`);
    const shares = await profileServer(env, (server) => runLoad(load, server, paths, PROFILE_MS));
    const percent = (part: string) => `${((shares.get(part) ?? 0) * 100).toFixed(0)} %`;
    rows.push([name, ...SERVER_PARTS.map(percent)]);
  }
  if (rows.length === 0) return [];
  const note = `Self time of the serving thread over ${PROFILE_MS / 1000} s of full load, without idle time. System calls count for their caller.`;
  return [{ title: 'CPU profiles of missed bars', note, columns: ['request', ...SERVER_PARTS], rows }];
}
