import { RemoteError } from '../remote/remote-error.ts';
import type { Endpoint } from './endpoint.ts';
import { WrongChainError } from './wrong-chain-error.ts';

/** Asks one chain's nodes, the healthiest first, until one answers. */
export interface RpcClient {
  /** Throws if a node is of another chain; those that do not answer are looked at when they are first needed. */
  checkAll(): Promise<void>;
  /**
   * Puts a question to one node after another until `question` returns. What it throws counts against the node.
   * Only when every node has refused it, or failed it several times, is that thrown: a smaller question may be
   * answered, or one about a block that has not been orphaned meanwhile.
   */
  ask<T>(question: (endpoint: Endpoint) => Promise<T>): Promise<T>;
}

export interface RpcClientOptions {
  readonly chainId: number;
  readonly endpoints: readonly Endpoint[];
  /** Resolves after a time, or rejects when the process is asked to end. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
  /** Hears of every fault. */
  readonly onFault: (host: string, error: RemoteError) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;
/** A pause that a node asks for is kept to, unless it is so long that it must be a mistake. */
const LONGEST_ASKED_MS = 300_000;
/** A node that has failed one question this often is not expected to answer it. */
const TRIES = 3;

interface Node {
  readonly endpoint: Endpoint;
  /** Known to be of the right chain. */
  checked: boolean;
  /** Faults since its last good answer. */
  faults: number;
  /** Not to be asked before. */
  notBefore: number;
}

/** How a node has failed one question. */
interface Failure {
  readonly error: RemoteError;
  readonly times: number;
}

const isRefused = (failure: Failure | undefined) => failure?.error.fault.kind === 'refused';

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { chainId, sleep, now, random, onFault } = options;
  const nodes = options.endpoints.map((endpoint): Node => ({ endpoint, checked: false, faults: 0, notBefore: 0 }));

  const pauseOf = (node: Node) => Math.max(node.notBefore - now(), 0);
  /** Nodes that may be asked in their configured order, then the others by how soon they may be. */
  const byHealth = () => [...nodes].sort((a, b) => pauseOf(a) - pauseOf(b));

  async function check(node: Node): Promise<void> {
    if (node.checked) return;
    const { host } = node.endpoint;
    const got = Number(await node.endpoint.send({ method: 'eth_chainId', params: [] }));
    if (!Number.isSafeInteger(got) || got <= 0) {
      throw new RemoteError(host, 'eth_chainId', { kind: 'malformed', message: 'no chain id' });
    }
    if (got !== chainId) throw new WrongChainError(host, chainId, got);
    node.checked = true;
  }

  function blame(node: Node, error: RemoteError): void {
    onFault(node.endpoint.host, error);
    // Whoever refuses is well: it can be asked something smaller at once.
    if (error.fault.kind === 'refused') return;
    node.faults += 1;
    const asked = error.fault.kind === 'http' ? error.fault.retryAfterMs : null;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(node.faults - 1, 10), LONGEST_PAUSE_MS);
    // Jitter keeps several indexers from coming back in step. A node that asks for no pause gets one all the same.
    node.notBefore = now() + Math.max(Math.min(asked ?? 0, LONGEST_ASKED_MS), pause * (0.5 + random() / 2));
  }

  /** What to tell of a question that no node can be expected to answer; undefined while one may yet. */
  function verdictOn(failures: ReadonlyMap<Node, Failure>): RemoteError | undefined {
    const final = [...failures.values()].filter((failure) => isRefused(failure) || failure.times >= TRIES);
    return final.length < nodes.length ? undefined : (final.find(isRefused) ?? final[0])?.error;
  }

  return {
    async checkAll() {
      await Promise.all(
        nodes.map(async (node) => {
          try {
            await check(node);
          } catch (thrown) {
            if (thrown instanceof WrongChainError) throw thrown;
            blame(node, asRemoteError(node.endpoint.host, thrown as Error));
          }
        }),
      );
    },
    async ask(question) {
      const failures = new Map<Node, Failure>();
      for (;;) {
        for (const node of byHealth()) {
          if (node.notBefore > now() || isRefused(failures.get(node))) continue;
          try {
            await check(node);
            const answer = await question(node.endpoint);
            node.faults = 0;
            node.notBefore = 0;
            return answer;
          } catch (thrown) {
            if (thrown instanceof WrongChainError) throw thrown;
            const error = asRemoteError(node.endpoint.host, thrown as Error);
            failures.set(node, { error, times: (failures.get(node)?.times ?? 0) + 1 });
            blame(node, error);
          }
        }
        const verdict = verdictOn(failures);
        if (verdict !== undefined) throw verdict;
        const others = nodes.filter((node) => !isRefused(failures.get(node)));
        await sleep(Math.max(Math.min(...others.map(pauseOf)), 1));
      }
    },
  };
}

/** Whatever else a question throws, it is because it could not use what it was given. */
function asRemoteError(host: string, error: Error): RemoteError {
  return error instanceof RemoteError
    ? error
    : new RemoteError(host, 'answer', { kind: 'malformed', message: error.message.slice(0, 300) });
}
