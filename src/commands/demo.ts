import type { DemoOptions } from '../demo/accounts.ts';
import { loadDemo } from '../demo/load-demo.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Context, integerOption } from './command.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

const DEFAULT_ACCOUNTS = 1_000;
const DEFAULT_SEED = 1;
const MIN_ACCOUNTS = 50;

export const demo: Command = {
  usage: '[--accounts N] [--seed S] [--now T]',
  help: `Generates accounts, lists, follows, tags, names and badges, and ingests them like real data: as raw logs
of three chains, profiles and badges. The same options give the same graph.

  --accounts N   number of accounts, ${MIN_ACCOUNTS} or more (${DEFAULT_ACCOUNTS})
  --seed S       seed of the generator (${DEFAULT_SEED})
  --now T        end of the generated history, in Unix seconds (the current time)`,
  options: { accounts: { type: 'string' }, seed: { type: 'string' }, now: { type: 'string' } },
  async run(context, args) {
    const options = {
      accounts: integerOption(args, 'accounts', MIN_ACCOUNTS, DEFAULT_ACCOUNTS),
      seed: integerOption(args, 'seed', 0, DEFAULT_SEED),
      ...(args.options.now === undefined ? {} : { now: integerOption(args, 'now', 0, 0) }),
    };
    await withStore(context, (store) => makeDemo(context, store, options));
  },
};

export async function makeDemo(context: Context, store: Store, options: Partial<DemoOptions> = {}): Promise<void> {
  const progress = createProgress('demo graph', 'logs', context);
  const defaults = {
    accounts: DEFAULT_ACCOUNTS,
    seed: DEFAULT_SEED,
    now: Math.floor(context.now() / 1000),
    pictures: originOf(context.config),
  };
  await loadDemo(store, { ...defaults, ...options }, (logs) => progress.update(logs));
  progress.end();
}

/** Where pages of other origins reach the service; empty if that is not known before it listens. */
function originOf({ publicUrl, host, port }: Context['config']): string {
  if (publicUrl !== null) return publicUrl;
  const reached = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return port === 0 ? '' : `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
