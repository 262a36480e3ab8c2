import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';
import type { Output } from './command.ts';

/** Writes JSON lines, or readable lines on a terminal. URLs are redacted in all of them. */
export function createLogger({ level, output }: { level: string; output: Output }): Logger {
  const target = output.isTTY ? pretty({ destination: output, ignore: 'pid,hostname' }) : output;
  return pino({ level }, { write: (line) => target.write(redactUrls(line)) });
}

const URL_WITH_AUTHORITY = /\b(?!file:)([a-z][a-z0-9+.-]*):\/\/([^\s"'\\<>]*)/gi;

/** Reduces every URL to scheme and host, because paths, queries and credentials may contain secrets. */
export function redactUrls(text: string): string {
  return text.replace(URL_WITH_AUTHORITY, (_, scheme: string, rest: string) => `${scheme}://${hostOf(scheme, rest)}`);
}

function hostOf(scheme: string, rest: string): string {
  const [authority = ''] = rest.split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const isHost = /^[^:@]+(:\d{1,5})?$/.test(host) && !scheme.toLowerCase().startsWith('postgres');
  // An unescaped password may contain slashes, so drop everything up to the last @.
  return isHost ? host : (rest.slice(rest.lastIndexOf('@') + 1).split(/[/?#]/, 1)[0] ?? '');
}
