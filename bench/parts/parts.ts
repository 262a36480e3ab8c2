import { cliffs } from './cliffs.ts';
import { http } from './http.ts';
import type { Part } from './part.ts';
import { postgres } from './postgres.ts';
import { start } from './start.ts';
import { workers } from './workers.ts';
import { writes } from './writes.ts';

/** In the order of measurement and of the report. */
export const PARTS: readonly Part[] = [http, cliffs, start, writes, workers, postgres];
