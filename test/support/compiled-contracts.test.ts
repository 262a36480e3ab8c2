import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileContracts } from './compile-contracts.ts';
import { CONTRACT_SOURCES, hashSource, readCompiled, readSource } from './compiled-contracts.ts';
import { isDeep } from './effort.ts';

describe.each(CONTRACT_SOURCES.map((source) => ({ source, name: basename(source.pathname) })))(
  'the compiled form of $name',
  ({ source }) => {
    it('was compiled from the current source (npm run fixtures compiles it again)', () => {
      expect(readCompiled(source).sourceHash).toBe(hashSource(readSource(source)));
    });

    if (isDeep) {
      it('is what the installed compiler makes of the source', () => {
        expect(readCompiled(source)).toEqual(compileContracts(source));
      });
    }
  },
);
