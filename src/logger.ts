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

const URL_WITH_AUTHORITY = /\b([a-z][a-z0-9+.-]*):\/\/([^\s"'\\<>]*)/gi;

/** Cuts every URL that could carry a password or a key down to scheme and host. */
export function hideSecrets(text: string): string {
  return text.replace(URL_WITH_AUTHORITY, (_, scheme: string, rest: string) => {
    const [host = ''] = rest.slice(rest.lastIndexOf('@') + 1).split(/[/?#]/, 1);
    return `${scheme}://${host}`;
  });
}
