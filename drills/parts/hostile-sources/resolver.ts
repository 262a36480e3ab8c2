import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  parseAbiParameters,
} from 'viem';
import { UNIVERSAL_RESOLVER, universalResolverAbi } from '../../../src/names/ens/universal-resolver.ts';
import { MAX_TEXT_LENGTH, TEXT_KEYS } from '../../../src/names/profile-source.ts';
import { type Answerer, NodeError } from '../../../test/indexer/node-proxy.ts';
import { decodeName } from '../../../test/names/ens/dns-name.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { drain, request } from '../../harness/request.ts';
import type { Attack, HostileCase } from './case.ts';
import { accountAt, type Service, startService, TOP } from './service.ts';

const MULTICALL = '0xac9650d8';

/** Answers calls for the records of `evil.eth`, and forwards the others. */
export function evilRecords(answer: () => Hex): Answerer {
  return async (call, forward) => {
    const [{ data = '0x' } = {}] = call.params as [{ data?: Hex }?];
    if (call.method !== 'eth_call') return forward(call);
    const { functionName, args } = decodeFunctionData({ abi: universalResolverAbi, data });
    if (functionName !== 'resolveWithGateways' || !args[1].startsWith(MULTICALL)) return forward(call);
    return decodeName(args[0]) === 'evil.eth' ? answer() : forward(call);
  };
}

/** Fetches the profile of `evil.eth` while a client waits. */
export function fetchEvil({ port }: Pick<Service, 'port'>) {
  return request(port, '/api/v1/users/evil.eth/details?cache=fresh', { timeoutMs: 15_000 });
}

export const attackOf = ({ pid, ports, others }: Service, run: Attack['run']): Attack => ({ pid, ports, others, run });

const word = (value: number) => value.toString(16).padStart(64, '0');

/** A `bytes[]` or an array of tuples, all of whose elements are the same one in memory. */
const aliased = (count: number, element: string): Hex =>
  `0x${word(32)}${word(count)}${word(count * 32).repeat(count)}${element}`;

const bytes = (size: number) => `${word(size)}${'ab'.repeat(size).padEnd(Math.ceil(size / 32) * 64, '0')}`;

const resultOf = (result: Hex) =>
  encodeFunctionResult({
    abi: universalResolverAbi,
    functionName: 'resolveWithGateways',
    result: [result, UNIVERSAL_RESOLVER],
  });

/** Makes the client ask gateways. */
export function offchainLookup(urls: readonly string[], callData: Hex): Hex {
  return encodeErrorResult({
    abi: universalResolverAbi,
    errorName: 'OffchainLookup',
    args: [UNIVERSAL_RESOLVER, urls, callData, '0x12345678', '0x'],
  });
}

export const BATCH_GATEWAY = 'x-batch-gateway:true';
const QUERY = '0xa780bab6';
const questionType = parseAbiParameters('(address sender, string[] urls, bytes data)');

/** The call of a batch gateway with `count` times the same question. */
function batchOf(count: number, urls: readonly string[], data: Hex): Hex {
  const question = encodeAbiParameters(questionType, [{ sender: UNIVERSAL_RESOLVER, urls, data }]);
  // Without the offset of the tuple.
  return `${QUERY}${aliased(count, question.slice(2 + 64)).slice(2)}`;
}

function nestedBatches(levels: number, width: number): Hex {
  return levels === 0
    ? '0x'
    : batchOf(width, [levels === 1 ? 'data:,0x' : BATCH_GATEWAY], nestedBatches(levels - 1, width));
}

export const revert = (data: Hex): never => {
  throw new NodeError(3, 'execution reverted', data);
};

/** Fetched while a client waits. */
const onRequest = (name: string, answer: () => Hex): HostileCase => ({
  name: `resolver: ${name}, cache=fresh`,
  async prepare(setting) {
    const service = await startService(setting, { env: { NAME_REQUESTS_PER_SECOND: '0' } });
    return attackOf(service, () => {
      service.hostile.ens = evilRecords(answer);
      return fetchEvil(service);
    });
  },
});

const smallAnswer = () => resultOf(aliased(1_000, bytes(100_000)));

/** Fetched by the indexer, without any request. */
const inBackground = (engine: 'sqlite' | 'postgres', isSlow: boolean): HostileCase => ({
  name: `resolver: 1,000 offsets of 100 KB, background refresh, ${engine}`,
  isSlow,
  async prepare(setting) {
    const service = await startService(setting, { engine });
    return attackOf(service, async () => {
      await askInBackground(service);
      await sleep(3_000);
    });
  },
});

/** Resolves when the indexer has asked for the records of a new member of the leaderboard. */
async function askInBackground({ hostile, addEvil }: Service): Promise<void> {
  let isAsked = false;
  hostile.ens = evilRecords(() => {
    isAsked = true;
    return smallAnswer();
  });
  addEvil();
  if (!(await until(() => isAsked, 15_000))) throw new Error('the indexer has not asked for the records');
}

const afterRestart: HostileCase = {
  name: 'resolver: 1,000 offsets of 100 KB, background refresh, after SIGKILL and a restart',
  async prepare(setting) {
    const service = await startService(setting);
    await askInBackground(service);
    await sleep(1_000);
    await service.restart();
    return { ...attackOf(service, () => sleep(5_000)), isUnderAttack: true };
  },
};

const PROFILES = 98;
const TEXT = 'x'.repeat(MAX_TEXT_LENGTH);

const largeProfiles: HostileCase = {
  name: `resolver: ${PROFILES} profiles of ${TEXT_KEYS.length} texts of ${MAX_TEXT_LENGTH} characters, include=ens&limit=100`,
  async prepare(setting) {
    const texts = Object.fromEntries(TEXT_KEYS.map((key) => [key, TEXT]));
    const service = await startService(setting, {
      accounts: PROFILES + 3,
      env: { NAME_REQUESTS_PER_SECOND: '400', PROFILE_MAX_AGE_S: '3600' },
      addNames(ens) {
        for (let i = 3; i < PROFILES + 3; i++) ens.addName(`large${i}.eth`, accountAt(i), { texts });
      },
    });
    const asked = () => service.ens.requests.filter(({ call }) => call === 'records').length;
    await until(() => asked() >= PROFILES, 60_000);
    // Profiles are written every 5 s.
    await sleep(6_000);
    return attackOf(service, async () => {
      const end = performance.now() + LARGE_MS;
      const client = async (n: number) => {
        for (let i = 0; performance.now() < end; i++)
          await drain(service.port, `/api/v1/users/${TOP}/followers?include=ens&limit=100&n=${n}-${i}`);
      };
      await Promise.all([0, 1, 2, 3].map(client));
    });
  },
};
const LARGE_MS = 6_000;

export const resolverCases: readonly HostileCase[] = [
  onRequest('1,000 offsets of 100 KB', smallAnswer),
  onRequest('4,000 offsets of 1.5 MB', () => resultOf(aliased(4_000, bytes(1_500_000)))),
  onRequest('a batch of 1,000 equal questions of 100 KB', () =>
    revert(offchainLookup([BATCH_GATEWAY], batchOf(1_000, ['data:,0x'], `0x${'ab'.repeat(100_000)}`))),
  ),
  onRequest('5 levels of batches of 20 equal questions', () =>
    revert(offchainLookup([BATCH_GATEWAY], nestedBatches(5, 20))),
  ),
  inBackground('sqlite', false),
  inBackground('postgres', true),
  afterRestart,
  largeProfiles,
];
