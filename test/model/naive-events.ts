import type { RawLog } from '../../src/protocol/parse-log.ts';
import { MAINNET, ZERO_ADDRESS } from './mainnet.ts';
import { decodeLog, type NaiveEvent } from './naive-decode.ts';
import { buildGraph, listExists, type NaiveGraph, type Placed } from './naive-graph.ts';

/** An event, with the slots whose records say whether a filter by target lets it pass. */
export interface NaiveFact {
  readonly event: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly concerned: readonly string[];
}

export interface NaiveFilter {
  readonly account: string;
  readonly role: 'any' | 'source' | 'target';
  readonly allLists: boolean;
}

/** The events of all logs, by chain, block and log index. */
export function naiveEvents(logs: readonly RawLog[]): { readonly facts: NaiveFact[]; readonly graph: NaiveGraph } {
  const placed = logs.map((log): Placed & { hash: string } => ({
    chainId: log.chainId,
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    time: Number(log.blockTimestamp),
    hash: log.blockHash,
    event: decodeLog(log, MAINNET),
  }));
  placed.sort((a, b) => a.chainId - b.chainId || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex);
  const graph = buildGraph(placed);
  const before = {
    owners: new Map<bigint, string>(),
    slots: new Map<bigint, string>(),
    lists: new Map<string, bigint>(),
  };
  const facts: NaiveFact[] = [];
  for (const { chainId, blockNumber, logIndex, time, hash, event } of placed) {
    const place = { chain_id: chainId, block: blockNumber, block_hash: hash, log_index: logIndex };
    const common = { ...place, time: new Date(time * 1000).toISOString(), name: '', avatar: '' };
    const fact = factOf(event, graph, before);
    if (fact !== null) facts.push({ ...fact, event: { ...common, ...fact.event } });
  }
  return { facts, graph };
}

export function passesNaively({ event, concerned }: NaiveFact, graph: NaiveGraph, filter: NaiveFilter): boolean {
  const { account, role, allLists } = filter;
  if (!allLists && event.is_primary === false) return false;
  if (role !== 'target' && (event.account === account || event.from === account)) return true;
  if (role === 'source') return false;
  return event.target === account || concerned.some((slot) => graph.state.records.get(slot)?.get(account)?.present);
}

interface Before {
  readonly owners: Map<bigint, string>;
  readonly slots: Map<bigint, string>;
  readonly lists: Map<string, bigint>;
}

/** Null for a log that is no event. Moves `before` after it. */
function factOf(event: NaiveEvent, graph: NaiveGraph, before: Before): NaiveFact | null {
  const slotNow = (list: bigint | null | undefined) =>
    [list == null ? null : graph.state.locations.get(list)].filter((slot) => slot != null);
  switch (event.kind) {
    case 'transfer': {
      const { tokenId, to } = event;
      const from = before.owners.get(tokenId) ?? ZERO_ADDRESS;
      before.owners.set(tokenId, to);
      const type = to === ZERO_ADDRESS ? 'burn' : from === ZERO_ADDRESS ? 'mint' : 'transfer';
      const account = type === 'burn' ? from : to;
      const concerned = type === 'transfer' ? [] : slotNow(tokenId);
      return { event: { type, account, list: `${tokenId}`, from }, concerned };
    }
    case 'location': {
      const { tokenId, slot } = event;
      const owner = before.owners.get(tokenId) ?? ZERO_ADDRESS;
      const concerned = [slot, before.slots.get(tokenId)].filter((key) => key != null);
      if (slot === null) before.slots.delete(tokenId);
      else before.slots.set(tokenId, slot);
      const account = owner === ZERO_ADDRESS ? '' : owner;
      return { event: { type: 'location', account, list: `${tokenId}`, slot: slot && slotOf(slot) }, concerned };
    }
    case 'primary-list': {
      const { account, tokenId } = event;
      const concerned = [...slotNow(tokenId), ...slotNow(before.lists.get(account))];
      if (tokenId === null) before.lists.delete(account);
      else before.lists.set(account, tokenId);
      return { event: { type: 'primary', account, list: tokenId === null ? '' : `${tokenId}` }, concerned };
    }
    case 'user':
    case 'manager': {
      const account = (event.kind === 'user' ? event.user : event.manager) ?? '';
      const { list } = listOf(graph, event.slot);
      const concerned = event.kind === 'user' ? [event.slot] : [];
      return { event: { type: event.kind, account, list, slot: slotOf(event.slot) }, concerned };
    }
    case 'op': {
      const { slot, record, opcode, tag, raw } = event;
      const op = { ...listOf(graph, slot), slot: slotOf(slot), target: record, opcode, op: raw };
      if (opcode <= 2) return { event: { type: opcode === 1 ? 'follow' : 'unfollow', ...op }, concerned: [] };
      const type = `${opcode === 4 ? 'un' : ''}${tag === 'block' || tag === 'mute' ? tag : 'tag'}`;
      return { event: { type, ...op, tag }, concerned: [] };
    }
    default:
      return null;
  }
}

/** The account and the list of a slot, as of the last log. */
function listOf({ state, primaryLists, activeAccounts }: NaiveGraph, slot: string) {
  const lists = [...state.locations]
    .filter(([list, at]) => at === slot && listExists(state, list))
    .map(([list]) => list);
  const only = lists.length === 1 ? lists[0] : undefined;
  const owner = only === undefined ? undefined : state.owners.get(only);
  const active = activeAccounts.get(slot);
  const primary = active === undefined ? undefined : primaryLists.get(active);
  return {
    account: state.users.get(slot) ?? owner ?? '',
    list: `${primary ?? only ?? ''}`,
    is_primary: primary !== undefined,
  };
}

function slotOf(key: string) {
  const [chain, contract, slot] = key.split('/');
  return { chain_id: Number(chain), contract, slot };
}
