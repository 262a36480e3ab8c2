/** POAP event numbers, in response order. */
export const DEFAULT_BADGE_EVENTS = ['177709', '178064', '178065', '178066', '183182'] as const;
