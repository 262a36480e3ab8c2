import { compareCodePoints } from '../protocol/code-points.ts';
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
  /** Sorted by code point. */
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
    // An op that changes nothing does not set the time.
    switch (op.opcode) {
      case OPCODES.follow:
        if (present) continue;
        present = true;
        break;
      case OPCODES.unfollow:
        if (!present && tags.size === 0) continue;
        present = false;
        tags.clear();
        break;
      case OPCODES.tag:
        if (tags.has(op.tag)) continue;
        tags.add(op.tag);
        break;
      case OPCODES.untag:
        if (!tags.delete(op.tag)) continue;
        break;
      default:
        op.opcode satisfies never;
    }
    time = op.time;
  }
  if (!present) return null;
  return { relation: relationOf(tags), tags: tags.size === 0 ? NO_TAGS : [...tags].sort(compareCodePoints), time };
}
