import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

export interface LoggerOptions {
  readonly level: string;
  readonly output: NodeJS.WritableStream & { isTTY?: boolean };
}

/** JSON lines, or lines for people on a terminal. Whatever is logged, addresses that carry keys are cut down first. */
export function createLogger({ level, output }: LoggerOptions): Logger {
  const target = output.isTTY ? pretty({ destination: output, ignore: 'pid,hostname' }) : output;
  return pino({ level }, { write: (line) => target.write(hideSecrets(line)) });
}

const URL_WITH_AUTHORITY = /\b(?!file:)([a-z][a-z0-9+.-]*):\/\/([^\s"'\\<>]*)/gi;

/** Cuts every URL that could carry a password or a key down to scheme and host. */
export function hideSecrets(text: string): string {
  return text.replace(URL_WITH_AUTHORITY, (_, scheme: string, rest: string) => `${scheme}://${hostOf(scheme, rest)}`);
}

function hostOf(scheme: string, rest: string): string {
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isHost = /^[^:@]+(:\d{1,5})?$/.test(host) && !scheme.toLowerCase().startsWith('postgres');
  // Passwords are not always escaped as they should be: what stands before the last @ may be one, slashes and all.
  return isHost ? host : (rest.slice(rest.lastIndexOf('@') + 1).split(/[/?#]/, 1)[0] ?? '');
}
