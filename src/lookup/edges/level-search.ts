import { sql } from 'kysely';
import type { Dialect } from '../../store/dialect.ts';
import { param } from '../../store/params.ts';
import { columns, select, statement } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import { IS_FOLLOW } from './edge-lists.ts';

/** Bounds the time of a search to about a fifth of a second. */
export const MAX_ROWS = 100_000;

const { account } = columns('records');
const { source } = columns('edges');
const near = sql<number>`given.id`;

/** Ids in a parameter, a JSON array; and these with their accounts. */
const givenIds = (dialect: Dialect, ids: string) =>
  sql`(select cast(text as integer) as id from ${dialect.textsOf(param(ids))} as texts) as given`;
export const givenAccounts = (dialect: Dialect, ids: string) =>
  sql`${givenIds(dialect, ids)} ${dialect.leftJoinOne('accounts', sql`accounts.id = given.id`)}`;

/** The accounts that some accounts follow, and those that follow some accounts. */
const STEPS = {
  forward: statement<{ ids: string }>()((_db, dialect) => {
    const steps = sql`from ${givenAccounts(dialect, 'ids')} join records on records.slot = accounts.active_slot
      where ${IS_FOLLOW} and records.account <> given.id`;
    return select({ near, far: account }, steps).query;
  }),
  backward: statement<{ ids: string }>()((_db, dialect) => {
    const steps = sql`from ${givenIds(dialect, 'ids')} join edges on edges.target = given.id where ${IS_FOLLOW}`;
    return select({ near, far: source }, steps).query;
  }),
};

/** How many rows these statements would return. */
const costOf = (count: 'following' | 'followers') =>
  statement<{ ids: string }>()((_db, dialect) => {
    const rows = sql<number>`coalesce(sum(${sql.ref(count)}), 0)`;
    return select({ rows }, sql`from ${givenAccounts(dialect, 'ids')}`).query;
  });
const COSTS = { forward: costOf('following'), backward: costOf('followers') };

type Direction = keyof typeof STEPS;

/** The accounts around one account, by the number of steps. */
export class Surroundings {
  readonly #direction: Direction;
  readonly #stepsTo = new Map<number, number>();
  /** The accounts one step nearer, by account. */
  readonly #nearer = new Map<number, number[]>();
  #outermost: readonly number[];
  /** The number of steps that have been taken. */
  #steps = 0;
  /** Of the next step; undefined until it is asked for. */
  #cost: number | undefined;

  constructor(direction: Direction, id: number) {
    this.#direction = direction;
    this.#outermost = [id];
    this.#stepsTo.set(id, 0);
  }

  get steps(): number {
    return this.#steps;
  }

  /** The accounts at that number of steps. */
  get outermost(): readonly number[] {
    return this.#outermost;
  }

  stepsTo(id: number): number | undefined {
    return this.#stepsTo.get(id);
  }

  nearer(id: number): readonly number[] {
    return this.#nearer.get(id) ?? [];
  }

  /** How many rows the next step would read. It is read once: several searches may begin at the same account. */
  async cost(reader: Reader): Promise<number> {
    if (this.#cost === undefined) {
      const [found] = await reader.all(COSTS[this.#direction], { ids: JSON.stringify(this.#outermost) });
      this.#cost = found?.rows ?? 0;
    }
    return this.#cost;
  }

  /** Takes one step more. Returns the number of rows that were read. */
  async grow(reader: Reader): Promise<number> {
    const rows = await reader.all(STEPS[this.#direction], { ids: JSON.stringify(this.#outermost) });
    this.#steps += 1;
    this.#cost = undefined;
    const reached: number[] = [];
    for (const { near, far } of rows) {
      const nearer = this.#nearer.get(far);
      if (nearer !== undefined && this.#stepsTo.get(far) === this.#steps) nearer.push(near);
      if (this.#stepsTo.has(far)) continue;
      this.#stepsTo.set(far, this.#steps);
      this.#nearer.set(far, [near]);
      reached.push(far);
    }
    this.#outermost = reached;
    return rows.length;
  }
}

/** A search from both ends, in one snapshot. Several searches share the bound on the rows that are read. */
export class LevelSearch {
  readonly reader: Reader;
  #rowsLeft: number;

  constructor(reader: Reader, maxRows: number) {
    this.reader = reader;
    this.#rowsLeft = maxRows;
  }

  /**
   * The number of steps of a shortest path between two accounts; null if there is none with at most `maxSteps`, and
   * undefined if the search ended before it was found.
   */
  async distance(from: Surroundings, to: Surroundings, maxSteps: number): Promise<number | null | undefined> {
    let found = least(to.outermost, from, to);
    while (found === null && from.steps + to.steps < maxSteps) {
      if (from.outermost.length === 0 || to.outermost.length === 0) return null;
      const [forward, backward] = [await from.cost(this.reader), await to.cost(this.reader)];
      if (Math.min(forward, backward) > this.#rowsLeft) return undefined;
      const smaller = forward < backward ? from : to;
      this.#rowsLeft -= await smaller.grow(this.reader);
      found = least(smaller.outermost, from, to);
    }
    return found;
  }
}

/** The least number of steps over one of `ids`; null if none is in both surroundings. */
function least(ids: readonly number[], from: Surroundings, to: Surroundings): number | null {
  let found = Number.POSITIVE_INFINITY;
  for (const id of ids) found = Math.min(found, (from.stepsTo(id) ?? found) + (to.stepsTo(id) ?? found));
  return found === Number.POSITIVE_INFINITY ? null : found;
}

/** The steps of all shortest paths: those from each account. */
export function stepsBetween(from: Surroundings, to: Surroundings, length: number): Map<number, number[]> {
  const next = new Map<number, number[]>();
  const met = from.outermost.filter((id) => from.steps + (to.stepsTo(id) ?? Number.NaN) === length);
  const follow = (layer: Iterable<number>, side: Surroundings, add: (id: number, nearer: number) => void) => {
    const reached = new Set<number>();
    for (const id of layer) {
      for (const nearer of side.nearer(id)) {
        add(id, nearer);
        reached.add(nearer);
      }
    }
    if (reached.size > 0) follow(reached, side, add);
  };
  const link = (id: number, step: number) => {
    const steps = next.get(id);
    if (steps === undefined) next.set(id, [step]);
    else steps.push(step);
  };
  follow(met, from, (id, nearer) => link(nearer, id));
  follow(met, to, link);
  return next;
}
