import type { Register } from '../protocol/decode-log.ts';

/** `logs.part` of a register. The part of a record is the id of its account, which is above 0. */
export const REGISTER_PARTS: Readonly<Record<Register, number>> = {
  owner: -1,
  location: -2,
  user: -3,
  manager: -4,
  'primary-list': -5,
};
