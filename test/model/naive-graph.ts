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

export interface NaiveState {
  readonly owners: Map<bigint, string>;
  /** Every account that received a list which did not exist at that moment. */
  readonly minters: Set<string>;
  readonly locations: Map<bigint, string | null>;
  readonly primaryNumbers: Map<string, bigint | null>;
  readonly users: Map<string, string | null>;
  readonly managers: Map<string, string | null>;
  /** Slot, then record address. */
  readonly records: Map<string, Map<string, NaiveRecord>>;
  readonly ops: Placed<NaiveOp>[];
}

/** A record that is present in a slot, with its sorted tags. */
export interface PresentRecord {
  readonly address: string;
  readonly relation: 'follow' | 'block' | 'mute';
  readonly tags: readonly string[];
  readonly time: number;
}

export interface NaiveEdge extends Omit<PresentRecord, 'address'> {
  readonly from: string;
  readonly to: string;
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
    for (const { address, ...record } of presentRecords(state, slot)) {
      if (address !== account) edges.push({ from: account, to: address, ...record });
    }
  }
  return { state, primaryLists, activeAccounts, edges };
}

/** A list that was never transferred is not minted. */
export function listExists(state: NaiveState, tokenId: bigint): boolean {
  return (state.owners.get(tokenId) ?? ZERO_ADDRESS) !== ZERO_ADDRESS;
}

export function presentRecords(state: NaiveState, slot: string): PresentRecord[] {
  return [...(state.records.get(slot) ?? [])]
    .filter(([, record]) => record.present)
    .map(([address, { tags, time }]) => ({
      address,
      relation: tags.has('block') ? 'block' : tags.has('mute') ? 'mute' : 'follow',
      tags: [...tags].sort(compareBytes),
      time,
    }));
}

/** The order of code points. */
export function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function foldEvents(events: readonly Placed[]): NaiveState {
  const state: NaiveState = {
    owners: new Map(),
    minters: new Set(),
    locations: new Map(),
    primaryNumbers: new Map(),
    users: new Map(),
    managers: new Map(),
    records: new Map(),
    ops: [],
  };
  for (const placed of [...events].sort(byPlace)) {
    const { event } = placed;
    switch (event.kind) {
      case 'transfer':
        if (event.to !== ZERO_ADDRESS && !listExists(state, event.tokenId)) state.minters.add(event.to);
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
      case 'manager':
        state.managers.set(event.slot, event.manager);
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
