import { measureExports } from '../exports/measure-exports.ts';
import type { Part } from './part.ts';

export const exports: Part = { name: 'exports', title: 'Exports', run: measureExports };
