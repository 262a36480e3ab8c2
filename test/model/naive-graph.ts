import { ZERO_ADDRESS } from './mainnet.ts';
import type { NaiveEvent, NaiveOp } from './naive-decode.ts';

export interface Placed<Event = NaiveEvent> {
  readonly chainId: number;
  readonly blockNumber: number;
  readonly logIndex: number;
  /** Unix seconds. */
  readonly time: number;
  readonly event: Event;
}

interface NaiveRecord {
  present: boolean;
  readonly tags: Set<string>;
  /** Block time of the last op that changed the record or its tags. */
  time: number;
}

interface NaiveState {
  readonly owners: Map<bigint, string>;
  readonly locations: Map<bigint, string | null>;
  readonly primaryNumbers: Map<string, bigint | null>;
  readonly users: Map<string, string | null>;
  /** Slot, then record address. */
  readonly records: Map<string, Map<string, NaiveRecord>>;
  readonly ops: Placed<NaiveOp>[];
}

export interface NaiveEdge {
  readonly from: string;
  readonly to: string;
  readonly relation: 'follow' | 'block' | 'mute';
  readonly tags: readonly string[];
  readonly time: number;
}

export interface NaiveGraph {
  readonly state: NaiveState;
  /** Account to its valid primary list. */
  readonly primaryLists: ReadonlyMap<string, bigint>;
  /** Slot to the account whose valid primary list points at it. */
  readonly activeAccounts: ReadonlyMap<string, string>;
  readonly edges: readonly NaiveEdge[];
}

export function buildGraph(events: readonly Placed[]): NaiveGraph {
  const state = foldEvents(events);
  const primaryLists = new Map<string, bigint>();
  const activeAccounts = new Map<string, string>();
  const edges: NaiveEdge[] = [];
  for (const [account, tokenId] of state.primaryNumbers) {
    if (tokenId === null || !listExists(state, tokenId)) continue;
    const slot = state.locations.get(tokenId);
    if (!slot || state.users.get(slot) !== account) continue;
    primaryLists.set(account, tokenId);
    activeAccounts.set(slot, account);
    edges.push(...edgesOf(account, state.records.get(slot) ?? new Map()));
  }
  return { state, primaryLists, activeAccounts, edges };
}

/** A list that was never transferred is not minted. */
export function listExists(state: NaiveState, tokenId: bigint): boolean {
  return (state.owners.get(tokenId) ?? ZERO_ADDRESS) !== ZERO_ADDRESS;
}

function edgesOf(account: string, records: ReadonlyMap<string, NaiveRecord>): NaiveEdge[] {
  return [...records]
    .filter(([address, record]) => record.present && address !== account)
    .map(([address, { tags, time }]) => ({
      from: account,
      to: address,
      relation: tags.has('block') ? 'block' : tags.has('mute') ? 'mute' : 'follow',
      tags: [...tags].sort(),
      time,
    }));
}

function foldEvents(events: readonly Placed[]): NaiveState {
  const state: NaiveState = {
    owners: new Map(),
    locations: new Map(),
    primaryNumbers: new Map(),
    users: new Map(),
    records: new Map(),
    ops: [],
  };
  for (const placed of [...events].sort(byPlace)) {
    const { event } = placed;
    switch (event.kind) {
      case 'transfer':
        state.owners.set(event.tokenId, event.to);
        break;
      case 'location':
        state.locations.set(event.tokenId, event.slot);
        break;
      case 'primary-list':
        state.primaryNumbers.set(event.account, event.tokenId);
        break;
      case 'user':
        state.users.set(event.slot, event.user);
        break;
      case 'op':
        state.ops.push({ ...placed, event });
        applyOp(recordOf(state, event), event, placed.time);
        break;
      case 'other-account-key':
      case 'ignored':
        break;
      default:
        event satisfies never;
    }
  }
  return state;
}

/** The order between chains has no meaning, but must be deterministic. */
function byPlace(a: Placed, b: Placed): number {
  return a.chainId - b.chainId || a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
}

function recordOf(state: NaiveState, { slot, record }: NaiveOp): NaiveRecord {
  const records = state.records.get(slot) ?? new Map<string, NaiveRecord>();
  state.records.set(slot, records);
  const found = records.get(record) ?? { present: false, tags: new Set<string>(), time: 0 };
  records.set(record, found);
  return found;
}

function applyOp(record: NaiveRecord, { opcode, tag }: NaiveOp, time: number): void {
  const before = `${record.present} ${JSON.stringify([...record.tags])}`;
  switch (opcode) {
    case 1:
      record.present = true;
      break;
    case 2:
      record.present = false;
      record.tags.clear();
      break;
    case 3:
      record.tags.add(tag);
      break;
    case 4:
      record.tags.delete(tag);
      break;
    default:
      opcode satisfies never;
  }
  const after = `${record.present} ${JSON.stringify([...record.tags])}`;
  if (after !== before) record.time = time;
}
