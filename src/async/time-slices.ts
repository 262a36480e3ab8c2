import { turnOfOwn } from './turn-of-own.ts';

/** Blocks other requests less than a page of fifty entries does. */
const SLICE_MS = 5;

/** For work on the event loop that may take long, in many short steps. */
export interface TimeSlices {
  /** Whether the work should await `next` before it goes on. */
  isOver(): boolean;
  /** Lets other work of the event loop run, and begins the next slice. */
  next(): Promise<void>;
}

export function createTimeSlices(): TimeSlices {
  let start = performance.now();
  return {
    isOver: () => performance.now() - start > SLICE_MS,
    async next() {
      await turnOfOwn();
      start = performance.now();
    },
  };
}
