import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError, type Environment } from './setting.ts';

/** Read from the working directory. */
export const ENV_FILE = '.env';

/** `NAME=value`, with an optional `export`, quotes around values of several lines, and a comment at the end. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:(?:"[^"]*"|'[^']*'|`[^`]*`)[ \t]*(?:#.*)?|[^"'`\s].*)?\r?$/gm;
const COMMENT = /^[ \t]*#.*$/gm;

/** The variables of the file; none if there is no such file. Throws a `ConfigError` that names the file. */
export function readEnvFile(path: string): Environment {
  let text: string;
  try {
    // Some editors write a byte order mark.
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new ConfigError(path, message);
  }
  // `parseEnv` skips what it does not understand.
  const line = findMalformedLine(text);
  if (line !== null) throw new ConfigError(path, `line ${line}: expected NAME=value`);
  return parseEnv(text);
}

/** Counted from 1. The line is not shown, because it may contain a key. */
function findMalformedLine(text: string): number | null {
  const keepLines = (match: string) => match.replace(/[^\n]/g, '');
  const rest = text.replace(ASSIGNMENT, keepLines).replace(COMMENT, keepLines);
  const index = rest.split('\n').findIndex((line) => line.trim() !== '');
  return index === -1 ? null : index + 1;
}
