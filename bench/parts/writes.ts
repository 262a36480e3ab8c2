import { measureLive } from '../writes/measure-live.ts';
import { measureLoad } from '../writes/measure-load.ts';
import type { Part } from './part.ts';

export const writes: Part = {
  name: 'writes',
  title: 'Writing',
  async run(bench) {
    const parts = [await measureLoad(bench), await measureLive(bench)];
    return { bars: parts.flatMap(({ bars }) => bars), tables: parts.flatMap(({ tables }) => tables), plots: [] };
  },
};
