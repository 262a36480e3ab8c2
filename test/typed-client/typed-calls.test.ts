import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const CALLS = fileURLToPath(new URL('typed-calls.ts', import.meta.url));
const { ModuleKind, ModuleResolutionKind, ScriptTarget } = ts;

const PROJECTS: readonly { name: string; options: ts.CompilerOptions }[] = [
  {
    name: 'of a bundler for browsers, without the types of Node',
    options: {
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
      module: ModuleKind.ESNext,
      moduleResolution: ModuleResolutionKind.Bundler,
    },
  },
  {
    name: 'of Node, with exact optional properties',
    options: {
      lib: ['lib.es2022.d.ts'],
      types: ['node'],
      module: ModuleKind.NodeNext,
      moduleResolution: ModuleResolutionKind.NodeNext,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
    },
  },
];

describe('the types of the client', () => {
  it.each(PROJECTS)('accept valid calls and reject others in a project $name', ({ options }) => {
    const program = ts.createProgram([CALLS], {
      ...options,
      target: ScriptTarget.ES2022,
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      skipLibCheck: true,
    });
    const messages = ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
    expect(messages).toEqual([]);
  });
});
