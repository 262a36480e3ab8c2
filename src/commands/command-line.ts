import { parseArgs } from 'node:util';
import { readConfig, SETTINGS } from '../config/config.ts';
import { type Arguments, type Command, type Context, UsageError } from './command.ts';
import { createLogger, hideSecrets } from './logger.ts';

/** What a command line runs in: a process, or what a test puts in its place. */
export interface Environment extends Pick<Context, 'stdin' | 'stdout' | 'stderr' | 'now'> {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Has commands that end by themselves told when they are asked to. */
  onShutdown(): AbortSignal;
}

interface Entry {
  readonly summary: string;
  /** Loaded when it is run: help should not wait for databases and servers. */
  load(): Promise<Command>;
}

const commands: Readonly<Record<string, Entry>> = {
  start: {
    summary: 'Answer requests and follow the chains (the default)',
    load: async () => (await import('./start.ts')).start,
  },
  serve: { summary: 'Answer requests', load: async () => (await import('./serve.ts')).serve },
  index: { summary: 'Follow the chains', load: async () => (await import('./index-chains.ts')).indexCommand },
  import: {
    summary: 'Take in logs, profiles or badges from files',
    load: async () => (await import('./import.ts')).importCommand,
  },
  demo: {
    summary: 'Fill the database with an invented graph',
    load: async () => (await import('./demo.ts')).demo,
  },
  status: { summary: 'Tell how the database stands', load: async () => (await import('./status.ts')).status },
  rebuild: {
    summary: 'Make the graph again from the stored logs',
    load: async () => (await import('./rebuild.ts')).rebuild,
  },
};

/** Errors that say all there is to say: a stack would only hide it. Told by name, so that none has to be loaded. */
const EXPECTED = [
  'UsageError',
  'ConfigError',
  'BadInputError',
  'NewerDatabaseError',
  'StoreUnavailableError',
  'DeepReorgError',
  'WrongChainError',
  'WorkerError',
];

/** Does what a command line asks for; tells the code to exit with. */
export async function runCommandLine(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    await run(argv, environment);
    return 0;
  } catch (error) {
    const expected = EXPECTED.includes((error as Error).name);
    const text = expected ? (error as Error).message : ((error as Error).stack ?? String(error));
    environment.stderr.write(`kith: ${hideSecrets(text)}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run([name = 'start', ...rest]: readonly string[], environment: Environment): Promise<void> {
  const { env, onShutdown, ...usable } = environment;
  const say = (text: string) => void usable.stdout.write(text);
  if (name === '--help' || name === '-h' || name === 'help') return say(generalHelp());
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}; see kith --help`);
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) return say(commandHelp(name, entry, command));

  const args = parseArguments(command, rest);
  const config = readConfig(env);
  const logger = createLogger({ level: config.logLevel, output: usable.stderr });
  const signal = command.isLongRunning ? onShutdown() : new AbortController().signal;
  await command.run({ config, logger, ...usable, signal }, args);
}

function parseArguments(command: Command, rest: string[]): Arguments {
  try {
    const { positionals, values } = parseArgs({ args: rest, options: command.options ?? {}, allowPositionals: true });
    // Safe: no option is declared as repeatable, so none is an array.
    return { words: positionals, options: values as Arguments['options'] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function generalHelp(): string {
  const width = Math.max(...SETTINGS.map(([setting]) => setting.length));
  const listed = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
  const settings = SETTINGS.map(([setting, fallback, description]) =>
    `  ${setting.padEnd(width)}  ${description} ${fallback === '' ? '' : `(${fallback})`}`.trimEnd(),
  );
  return `kith: lookups on the social graph of the Ethereum Follow Protocol

Usage: kith [COMMAND] [OPTIONS]

Commands:
${listed.join('\n')}

kith COMMAND --help tells more about one.

Settings, from the environment:
${settings.join('\n')}
`;
}

function commandHelp(name: string, { summary }: Entry, { usage, help }: Command): string {
  return `kith ${name}: ${summary}\n\nUsage: kith ${name} ${usage}\n\n${help}\n`;
}
