import { OPCODES, type Opcode } from '../protocol/list-op.ts';
import { type Relation, relationOf } from './relation.ts';

/** The effect of an op on its record. */
export interface RecordOp {
  readonly opcode: Opcode;
  readonly tag: string;
  /** Unix seconds of the op's block. */
  readonly time: number;
}

/** The state of a record. It is an edge of the graph if its slot is the active slot of an account. */
export interface Edge {
  readonly relation: Relation;
  /** Sorted by code unit. */
  readonly tags: readonly string[];
  /** Block time of the op that last changed the record or its tags. */
  readonly time: number;
}

const NO_TAGS: readonly string[] = [];

/** The state of a record after `ops`, in chain order; null when the record is not in the list. */
export function foldRecord(ops: Iterable<RecordOp>): Edge | null {
  let present = false;
  let time = 0;
  // Tags can be set before the record is added.
  const tags = new Set<string>();
  for (const op of ops) {
    if (!changes(op, present, tags)) continue;
    time = op.time;
    switch (op.opcode) {
      case OPCODES.follow:
        present = true;
        break;
      case OPCODES.unfollow:
        present = false;
        tags.clear();
        break;
      case OPCODES.tag:
        tags.add(op.tag);
        break;
      case OPCODES.untag:
        tags.delete(op.tag);
        break;
      default:
        op.opcode satisfies never;
    }
  }
  return present ? { relation: relationOf(tags), tags: tags.size === 0 ? NO_TAGS : [...tags].sort(), time } : null;
}

function changes(op: RecordOp, present: boolean, tags: ReadonlySet<string>): boolean {
  switch (op.opcode) {
    case OPCODES.follow:
      return !present;
    case OPCODES.unfollow:
      return present || tags.size > 0;
    case OPCODES.tag:
      return !tags.has(op.tag);
    case OPCODES.untag:
      return tags.has(op.tag);
  }
}
