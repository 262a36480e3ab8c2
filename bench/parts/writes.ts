import { measureLive } from '../writes/measure-live.ts';
import { measureLoad } from '../writes/measure-load.ts';
import type { Part } from './part.ts';

export const load: Part = { name: 'load', title: 'Loading', run: measureLoad };
export const live: Part = { name: 'live', title: 'Live blocks and rankings', run: measureLive };
