import type { DemoOptions } from '../../src/demo/accounts.ts';
import { demoLogs } from '../../src/demo/demo-logs.ts';
import { type CellWrite, type ChainLog, decodeLog } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { decodeListOp, type ListOp } from '../../src/protocol/list-op.ts';
import { parseRawLog } from '../../src/protocol/parse-log.ts';

const roleOf = createRoleOf(deployments.mainnet ?? { name: 'none', contracts: [] });

interface Entry {
  readonly log: ChainLog;
  readonly decoded: ReturnType<typeof decodeLog>;
}

interface Action {
  readonly actor: string;
  readonly op: ListOp;
  readonly time: number;
}

export const entriesOf = (from: DemoOptions): Entry[] =>
  Array.from(demoLogs(from), parseRawLog).map((log) => ({ log, decoded: decodeLog(roleOf, log) }));

export const writesOf = (entries: readonly Entry[]): CellWrite[] =>
  entries.flatMap(({ decoded }) => (decoded.kind === 'write' ? [decoded] : []));

/** Every valid op with the user of its slot. */
export function actionsOf(entries: readonly Entry[]): Action[] {
  const users = new Map(
    writesOf(entries)
      .filter((write) => write.part === 'user')
      .map((write) => [write.subject, write.payload]),
  );
  return entries.flatMap(({ log, decoded }) => {
    if (decoded.kind !== 'write' || !decoded.part.startsWith('0x')) return [];
    const op = decodeListOp(decoded.payload);
    return op.kind === 'op' ? [{ actor: users.get(decoded.subject) ?? '', op, time: log.blockTime }] : [];
  });
}
