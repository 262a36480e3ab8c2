/** The badge events that are known by default, in the order in which they are answered. */
export const DEFAULT_BADGE_EVENTS = ['177709', '178064', '178065', '178066', '183182'] as const;
