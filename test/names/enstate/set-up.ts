import { afterEach, beforeEach } from 'vitest';
import { createEnstateSource, type EnstateOptions } from '../../../src/names/enstate/enstate-source.ts';
import type { ProfileSource } from '../../../src/names/profile-source.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { RemoteError } from '../../../src/remote/remote-error.ts';
import { type FakeEnstate, startFakeEnstate } from './fake-enstate.ts';

export const NOW = 1_700_000_000_000;
/** A generous timeout for responses that do arrive. */
const LONG_TIMEOUT_MS = 30_000;

export const ada = accountOf(1);
export const bob = accountOf(2);
export const cyd = accountOf(3);
export const keeper = accountOf(4);
export const control = { account: keeper, name: 'keeper.eth' };

/** Contains hex letters, which the server writes in another case. */
export function accountOf(index: number): Address {
  return `0x${(0xabcd_0000 + index).toString(16).repeat(5)}`;
}

interface Setting {
  fake: FakeEnstate;
  source: ProfileSource;
  create(options?: Partial<EnstateOptions>): ProfileSource;
}

/** A fake server that knows the control only, and a source; new for each test. */
export function setUp(): Setting {
  // Safe: set before each test.
  const setting = {} as Setting;
  beforeEach(async () => {
    const fake = await startFakeEnstate(NOW);
    fake.addName(control.name, control.account);
    setting.fake = fake;
    setting.create = (options) =>
      createEnstateSource({ url: fake.url, fetch, timeoutMs: LONG_TIMEOUT_MS, now: () => NOW, control, ...options });
    setting.source = setting.create();
  });
  afterEach(() => setting.fake.stop());
  return setting;
}

/** The profile of one account, or the error. */
export async function profileOrFault(source: ProfileSource, account: Address, fresh = false, name = '') {
  const names = new Map([[account, name]]);
  const answer = (await source.fetchProfiles([account], { fresh, names })).get(account);
  return answer instanceof RemoteError ? answer.fault : answer;
}

/** The holder of a name, or the fault. */
export async function holderOrFault(source: ProfileSource, name: string, fresh = false) {
  try {
    return await source.fetchHolder(name, { fresh });
  } catch (error) {
    if (error instanceof RemoteError) return error.fault;
    throw error;
  }
}

export const unproven = { kind: 'malformed', message: 'not found, but the control query was not found either' };

export function nameless(fresh: number) {
  const images = { avatar: '', header: '' };
  return { name: '', display: '', resolver: '', records: {}, chains: {}, images, errors: {}, fresh };
}
