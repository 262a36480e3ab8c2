import type { Endpoint } from './endpoint.ts';
import { RpcError, WrongChainError } from './rpc-error.ts';

/** Asks one chain's nodes, the healthiest first, until one answers. */
export interface RpcClient {
  /**
   * Puts a question to one node after another until `question` returns. What it throws counts against the node.
   * Only when every node has refused is the refusal thrown: what to do about it depends on the question.
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
  readonly onFault: (host: string, error: Error) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

interface Node {
  readonly endpoint: Endpoint;
  /** Known to be of the right chain. */
  checked: boolean;
  /** Faults since its last good answer. */
  faults: number;
  /** Not to be asked before. */
  notBefore: number;
}

export function createRpcClient(options: RpcClientOptions): RpcClient {
  const { chainId, sleep, now, random, onFault } = options;
  const nodes = options.endpoints.map((endpoint): Node => ({ endpoint, checked: false, faults: 0, notBefore: 0 }));

  /** Healthy nodes in their configured order, then the others by how soon they may be asked. */
  const byHealth = () => [...nodes].sort((a, b) => a.notBefore - b.notBefore || a.faults - b.faults);

  async function check(node: Node): Promise<void> {
    if (node.checked) return;
    const got = Number(await node.endpoint.send({ method: 'eth_chainId', params: [] }));
    if (got !== chainId) throw new WrongChainError(node.endpoint.host, chainId, got);
    node.checked = true;
  }

  function blame(node: Node, error: Error): void {
    node.faults += 1;
    const asked = error instanceof RpcError && error.fault.kind === 'http' ? error.fault.retryAfterMs : null;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(node.faults - 1, 10), LONGEST_PAUSE_MS);
    // Jitter keeps several indexers from coming back in step.
    node.notBefore = now() + (asked ?? pause * (0.5 + random() / 2));
    onFault(node.endpoint.host, error);
  }

  return {
    async ask(question) {
      for (;;) {
        const refusals: RpcError[] = [];
        for (const node of byHealth()) {
          if (node.notBefore > now()) continue;
          try {
            await check(node);
            const answer = await question(node.endpoint);
            node.faults = 0;
            node.notBefore = 0;
            return answer;
          } catch (error) {
            if (error instanceof WrongChainError) throw error;
            if (isRefusal(error)) refusals.push(error);
            blame(node, error as Error);
          }
        }
        const [refusal] = refusals;
        if (refusal !== undefined && refusals.length === nodes.length) throw refusal;
        await sleep(Math.max(Math.min(...nodes.map((node) => node.notBefore)) - now(), 1));
      }
    },
  };
}

function isRefusal(error: unknown): error is RpcError {
  return error instanceof RpcError && error.fault.kind === 'refused';
}
