import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../config/config.ts';
import { ENV_FILE } from '../config/env-file.ts';
import { aliasesByVariable, SETTINGS } from '../config/settings.ts';
import { findMisspelt } from '../config/unknown-settings.ts';
import { VERSION } from '../contract/version.ts';
import { describeError, type ErrorDescription } from '../errors/operator-error.ts';
import type { DatabaseLocation } from '../store/open-store.ts';
import { type Arguments, type Command, type Context, UsageError } from './command.ts';
import { createLogger, redactUrls } from './logger.ts';

/** What `runCommandLine` needs of the process. */
export interface Environment extends Pick<Context, 'stdin' | 'stdout' | 'stderr' | 'now' | 'monotonic' | 'onKilled'> {
  /** Called when a command needs its settings, so that `--help` works whatever they are. */
  readEnvironment(): Readonly<Record<string, string | undefined>>;
  /**
   * Called when the command is loaded. Installs signal handlers; the returned signal is aborted with a `Shutdown` on a
   * signal or when the parent process dies. `delayMs` is how long the command goes on serving after that.
   */
  onShutdown(delayMs: number): AbortSignal;
  readonly isSupervised?: boolean;
  /** Receives the error that ends the command, instead of standard error. */
  readonly onFailure?: (failure: ErrorDescription) => Promise<void>;
}

/** What a command is for, and how it is imported: lazily, so that `--help` does not load the database and HTTP modules. */
type Entry = readonly [summary: string, load: () => Promise<Command>];

const commands: Readonly<Record<string, Entry>> = {
  start: ['Serve the API and index the chains (the default)', async () => (await import('./start.ts')).start],
  serve: ['Serve the API', async () => (await import('./serve.ts')).serve],
  index: ['Index the chains', async () => (await import('./index-chains.ts')).indexCommand],
  import: ['Import logs, profiles or badges from files', async () => (await import('./import.ts')).importCommand],
  bootstrap: ['Load a snapshot into an empty database', async () => (await import('./bootstrap.ts')).bootstrap],
  export: ['Write the stored logs or the graph to files', async () => (await import('./export.ts')).exportCommand],
  backup: ['Copy a SQLite database that is in use', async () => (await import('./backup.ts')).backup],
  mcp: ['Answer a model over standard input and output', async () => (await import('./mcp.ts')).mcp],
  demo: ['Load a generated demo graph', async () => (await import('./demo.ts')).demo],
  status: ['Print the state of the database', async () => (await import('./status.ts')).status],
  verify: ['Compare the stored logs with those of a node', async () => (await import('./verify.ts')).verify],
  rewind: [
    'Remove the logs above a block of a chain, to index them again',
    async () => (await import('./rewind.ts')).rewind,
  ],
  rebuild: ['Rebuild the graph from the stored logs', async () => (await import('./rebuild.ts')).rebuild],
};

/** Runs a command and returns the exit code. */
export async function runCommandLine(argv: readonly string[], environment: Environment): Promise<number> {
  try {
    await run(argv, environment);
    return 0;
  } catch (error) {
    const failure = describeError(error);
    if (environment.onFailure === undefined) printFailure(environment.stderr, failure);
    else await environment.onFailure(failure);
    return error instanceof UsageError ? 2 : 1;
  }
}

/** Prints a line for a person on a terminal, and a line of JSON otherwise. */
export function printFailure(output: Environment['stderr'], { text, code }: ErrorDescription): void {
  if (output.isTTY) output.write(`kith: ${redactUrls(text)} [${code}]\n`);
  else createLogger({ level: 'fatal', output }).fatal({ code }, text);
}

async function run([name = 'start', ...rest]: readonly string[], environment: Environment): Promise<void> {
  const { readEnvironment, onShutdown, onFailure: _, isSupervised = false, ...io } = environment;
  const print = (text: string) => void io.stdout.write(text);
  if (name === '--help' || name === '-h' || name === 'help') return print(generalHelp());
  if (name === '--version' || name === '-v') return print(`${VERSION}\n`);
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}; see kith --help`);
  const [summary, load] = entry;
  const command = await load();
  if (rest.includes('--help') || rest.includes('-h')) return print(commandHelp(name, summary, command));

  const args = parseArguments(command, rest);
  const variables = readEnvironment();
  const config = readConfig(variables);
  const logger = createLogger({ level: config.logLevel, output: io.stderr });
  // Child processes have the variables of the process that started them.
  for (const misspelt of isSupervised ? [] : findMisspelt(variables)) {
    logger.warn(misspelt, 'a variable of the environment is not a setting, but has nearly the name of one');
  }
  // Child processes use the database of the process that started them.
  if (command.isLongRunning && !isSupervised && !command.isRemote?.(args))
    logger.info(`using the database ${describeLocation(config.database)}`);
  const unexpected = args.positionals[command.maxPositionals ?? 0];
  if (unexpected !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(unexpected)}`);
  const signal = command.isLongRunning ? onShutdown(config.shutdownDelayMs) : new AbortController().signal;
  await command.run({ command: name, config, logger, ...io, signal, isSupervised }, args);
}

/** Without credentials. */
function describeLocation(location: DatabaseLocation): string {
  return location.engine === 'sqlite' ? resolve(location.path) : redactUrls(location.url);
}

function parseArguments(command: Command, rest: string[]): Arguments {
  try {
    const { positionals, values } = parseArgs({ args: rest, options: command.options ?? {}, allowPositionals: true });
    // Safe: no option is declared as `multiple`, so none is an array.
    return { positionals, options: values as Arguments['options'] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function generalHelp(): string {
  const width = Math.max(...SETTINGS.map(({ name }) => name.length));
  const listed = Object.entries(commands).map(([name, [summary]]) => `  ${name.padEnd(9)} ${summary}`);
  const settings = SETTINGS.map(({ name, fallback, description }) =>
    `  ${name.padEnd(width)}  ${description} ${fallback === '' ? '' : `(${fallback})`}`.trimEnd(),
  );
  const aliases = [...aliasesByVariable()].map(
    ([variable, names]) => `  ${variable.padEnd(width)}  ${names.join(', ')}`,
  );
  return `kith: API and indexer for the Ethereum Follow Protocol

Usage: kith [COMMAND] [OPTIONS]

Commands:
${listed.join('\n')}

kith COMMAND --help describes a command. kith --version prints the version.

Environment variables, also read from ${ENV_FILE} in the working directory; those that are set already take precedence:
${settings.join('\n')}

Names of EFP's own services for the same settings:
${aliases.join('\n')}
`;
}

function commandHelp(name: string, summary: string, { usage, help }: Command): string {
  return `kith ${name}: ${summary}\n\nUsage: kith ${name} ${usage}\n\n${help}\n`;
}
