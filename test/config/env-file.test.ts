import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readEnvFile } from '../../src/config/env-file.ts';

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, '.env');
  writeFileSync(path, text);
  return path;
}

describe('a .env file', () => {
  it('has no variables if it does not exist', () => {
    expect(readEnvFile('/nowhere/.env')).toEqual({});
  });

  it.each([
    ['an assignment', 'PORT=1', { PORT: '1' }],
    ['an empty value', 'PORT=', { PORT: '' }],
    ['blanks, comments and empty lines', '# one\n\n  PORT = 1 # two\n', { PORT: '1' }],
    ['the lines of a shell script', 'export PORT=1', { PORT: '1' }],
    ['quotes', `A="a # b" # c\nB='d'\nC=\`e\``, { A: 'a # b', B: 'd', C: 'e' }],
    ['a value of several lines', 'A="a\nb"\nB=1', { A: 'a\nb', B: '1' }],
    ['Windows line ends', 'A=1\r\n# c\r\nB=2\r\n', { A: '1', B: '2' }],
    ['a byte order mark', '\uFEFFA=1', { A: '1' }],
    ['a URL with a query', 'A=https://one.example/?key=a&b=c', { A: 'https://one.example/?key=a&b=c' }],
  ])('may have %s', (_, text, variables) => {
    expect(readEnvFile(write(text))).toEqual(variables);
  });

  it.each([
    ['a line without an equals sign', 'A=1\nsecret\n', 2],
    ['a name with a dash', 'A-B=secret', 1],
    ['a quote that is not closed', 'A=1\nB="2"\nC="secret\n', 3],
    ['such a quote after a blank', 'A= "secret\nB=1', 1],
    ['text after a quote', 'A="x\ny"\nB="secret"x', 3],
  ])('is rejected with the number of the line, and not its text: %s', (_, text, line) => {
    const path = write(text);
    expect(() => readEnvFile(path)).toThrow(`${path}: line ${line}: expected NAME=value`);
  });

  it('is rejected with its path if it cannot be read', () => {
    expect(() => readEnvFile(tmpdir())).toThrow(`${tmpdir()}: EISDIR`);
  });
});
