import type { MonotonicMs } from '../async/unix-time.ts';
import { OperatorError } from '../errors/operator-error.ts';
import { BusyError, RemoteError } from '../remote/remote-error.ts';
import { ContradictionError } from './check-logs.ts';
import type { Endpoint } from './endpoint.ts';

/** The chain id of a node is not the configured one. */
export class WrongChainError extends OperatorError {
  readonly code = 'E_WRONG_CHAIN';

  constructor(host: string, expected: number, got: number) {
    super(`RPC_URL_${expected}: ${host} is a node of chain ${got}, not of chain ${expected}`);
  }
}

/** Failover between the nodes of one chain, with retries and backoff per node. */
export type RpcClient = ReturnType<typeof createRpcClient>;

export interface RpcClientOptions {
  readonly chainId: number;
  readonly endpoints: readonly Endpoint[];
  /** Rejects at shutdown. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => MonotonicMs;
  readonly random: () => number;
  /** Called for every failed attempt. */
  readonly onFault: (host: string, error: RemoteError) => void;
}

const MIN_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 15_000;
/** Upper bound for Retry-After. */
const MAX_RETRY_AFTER_MS = 300_000;
/** Attempts per node and request. */
const MAX_ATTEMPTS = 3;

interface Node {
  readonly endpoint: Endpoint;
  /** Whether its chain id has been verified. */
  checked: boolean;
  /** Whether it ever was: then another chain id is a fault of its provider, which may be repaired. */
  wasRight: boolean;
  /** Consecutive faults. */
  faults: number;
  /** The node is not used earlier. */
  notBefore: MonotonicMs;
}

/** The last error of a node for one request. */
interface Failure {
  readonly error: RemoteError;
  readonly attempts: number;
}

const isRefused = (failure: Failure | undefined) => failure?.error.fault.kind === 'refused';

export function createRpcClient(options: RpcClientOptions) {
  const { chainId, sleep, now, random, onFault } = options;
  const nodes = options.endpoints.map(
    (endpoint): Node => ({ endpoint, checked: false, wasRight: false, faults: 0, notBefore: 0 }),
  );

  const backoffOf = (node: Node) => Math.max(node.notBefore - now(), 0);
  /** Available nodes in their configured order, then the others by the end of their backoff. */
  const byHealth = () => [...nodes].sort((a, b) => backoffOf(a) - backoffOf(b));

  async function check(node: Node): Promise<void> {
    if (node.checked) return;
    const { host } = node.endpoint;
    const got = Number(await node.endpoint.send({ method: 'eth_chainId', params: [] }));
    if (!Number.isSafeInteger(got) || got <= 0) {
      throw new RemoteError(host, 'eth_chainId', { kind: 'malformed', message: 'not a chain id' });
    }
    if (got !== chainId) {
      const error = new WrongChainError(host, chainId, got);
      throw node.wasRight ? new RemoteError(host, 'eth_chainId', { kind: 'malformed', message: error.message }) : error;
    }
    node.checked = true;
    node.wasRight = true;
  }

  function recordFault(node: Node, error: RemoteError): void {
    onFault(node.endpoint.host, error);
    // A node that refuses a request is healthy: a smaller one can be sent at once.
    if (error.fault.kind === 'refused') return;
    node.faults += 1;
    const retryAfter = error.fault.kind === 'http' ? error.fault.retryAfterMs : null;
    const backoff = Math.min(MIN_BACKOFF_MS * 2 ** Math.min(node.faults - 1, 10), MAX_BACKOFF_MS);
    // Jitter keeps several indexers from retrying in step. The backoff is a lower bound for Retry-After.
    node.notBefore = now() + Math.max(Math.min(retryAfter ?? 0, MAX_RETRY_AFTER_MS), backoff * (0.5 + random() / 2));
  }

  /** The error to throw if there is no other node to try; else undefined. */
  function finalError(failures: ReadonlyMap<Node, Failure>): RemoteError | undefined {
    const final = [...failures.values()].filter((failure) => isRefused(failure) || failure.attempts >= MAX_ATTEMPTS);
    return final.length < nodes.length ? undefined : (final.find(isRefused) ?? final[0])?.error;
  }

  /** Runs `work` once with every node but `except`. A failure counts against its node and is left out. */
  async function withEach<T>(work: (node: Node) => Promise<T>, except?: Endpoint): Promise<T[]> {
    const outcomes = await Promise.all(
      nodes
        .filter(({ endpoint }) => endpoint !== except)
        .map(async (node) => {
          try {
            return [await work(node)];
          } catch (thrown) {
            if (thrown instanceof WrongChainError) throw thrown;
            recordFault(node, asRemoteError(node.endpoint.host, thrown as Error));
            return [];
          }
        }),
    );
    // Safe: the outcomes are arrays of at most one response.
    return outcomes.flat() as T[];
  }

  return {
    /** Checks the chain id of all nodes. Unreachable nodes are checked before their first use. */
    async checkAll(): Promise<void> {
      await withEach(check);
    },
    /** Runs `send` once with every node but `except`, and returns the responses of those that do not fail. */
    requestEach: <T>(send: (endpoint: Endpoint) => Promise<T>, except?: Endpoint): Promise<T[]> =>
      withEach(async (node) => {
        // Checked again: it serves to confirm a fatal finding, and a provider may have been moved to another chain.
        node.checked = false;
        await check(node);
        return send(node.endpoint);
      }, except),
    /**
     * Runs `send` with one node after another until it succeeds; an error counts against the node. Throws when every
     * node has refused the request or failed it several times. The caller may then try a smaller range, or a block that
     * has not been orphaned.
     */
    async request<T>(send: (endpoint: Endpoint) => Promise<T>): Promise<T> {
      const failures = new Map<Node, Failure>();
      for (;;) {
        for (const node of byHealth()) {
          if (node.notBefore > now() || isRefused(failures.get(node))) continue;
          try {
            await check(node);
            const response = await send(node.endpoint);
            node.faults = 0;
            node.notBefore = 0;
            return response;
          } catch (thrown) {
            // A request that was not sent is no fault of the node, whose backoff would delay all others.
            if (thrown instanceof WrongChainError || thrown instanceof BusyError) throw thrown;
            const error = asRemoteError(node.endpoint.host, thrown as Error);
            failures.set(node, { error, attempts: (failures.get(node)?.attempts ?? 0) + 1 });
            recordFault(node, error);
          }
        }
        const error = finalError(failures);
        if (error !== undefined) throw error;
        const others = nodes.filter((node) => !isRefused(failures.get(node)));
        await sleep(Math.max(Math.min(...others.map(backoffOf)), 1));
      }
    },
  };
}

/** Other errors are thrown while parsing or checking a response. */
function asRemoteError(host: string, error: Error): RemoteError {
  if (error instanceof RemoteError) return error;
  const kind = error instanceof ContradictionError ? 'contradicted' : 'malformed';
  return new RemoteError(host, 'response', { kind, message: error.message.slice(0, 300) });
}
