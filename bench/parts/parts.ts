import { events } from './events.ts';
import { exports } from './exports.ts';
import { pages } from './pages.ts';
import type { Part } from './part.ts';
import { postgres } from './postgres.ts';
import { requests } from './requests.ts';
import { start } from './start.ts';
import { worst } from './worst.ts';
import { live, load } from './writes.ts';

/** In the order of measurement and of the report. */
export const PARTS: readonly Part[] = [pages, postgres, worst, start, load, live, events, exports, requests];
