import { parseArgs } from 'node:util';
import { BadInputError } from './bad-input.ts';
import { type Arguments, type Command, UsageError } from './commands/command.ts';
import { demo } from './commands/demo.ts';
import { importCommand } from './commands/import.ts';
import { indexCommand } from './commands/index-chains.ts';
import { rebuild } from './commands/rebuild.ts';
import { serve } from './commands/serve.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { ConfigError, readConfig, SETTINGS } from './config.ts';
import { DeepReorgError } from './indexer/follow-head.ts';
import { createLogger, hideSecrets } from './logger.ts';
import { WrongChainError } from './rpc/rpc-error.ts';
import { NewerDatabaseError } from './store/migrate.ts';
import { StoreUnavailableError } from './store/store.ts';

const commands: Readonly<Record<string, Command>> = {
  start,
  serve,
  index: indexCommand,
  import: importCommand,
  demo,
  status,
  rebuild,
};

/** Errors that say all there is to say: a stack would only hide it. */
const EXPECTED = [
  UsageError,
  ConfigError,
  BadInputError,
  NewerDatabaseError,
  StoreUnavailableError,
  DeepReorgError,
  WrongChainError,
];

async function main([name = 'start', ...rest]: readonly string[]): Promise<void> {
  if (name === '--help' || name === '-h' || name === 'help') return say(generalHelp());
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`unknown command ${JSON.stringify(name)}; see kith --help`);
  if (rest.includes('--help') || rest.includes('-h')) return say(commandHelp(name, command));

  const args = parseArguments(command, rest);
  // The one place that looks at the environment.
  const config = readConfig(process.env);
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  await command.run(
    {
      config,
      logger: createLogger({ level: config.logLevel, output: process.stderr }),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      now: Date.now,
      signal: ending.signal,
    },
    args,
  );
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
  const settings = SETTINGS.map(
    ([setting, fallback, description]) => `  ${setting.padEnd(width)}  ${description} (${fallback})`,
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

function commandHelp(name: string, { summary, usage, help }: Command): string {
  return `kith ${name}: ${summary}\n\nUsage: kith ${name} ${usage}\n\n${help}\n`;
}

function say(text: string): void {
  process.stdout.write(text);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const expected = EXPECTED.some((kind) => error instanceof kind);
  const text = expected ? (error as Error).message : ((error as Error).stack ?? String(error));
  process.stderr.write(`kith: ${hideSecrets(text)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
