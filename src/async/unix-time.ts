/** A point in time as milliseconds since the Unix epoch, as `Date.now()` returns it. */
export type UnixMs = number;
