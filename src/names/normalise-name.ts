import { ens_normalize } from '@adraffy/ens-normalize';

/** Twice what DNS allows: normalising is not for unbounded input, nor is PostgreSQL's index. */
const MAX_LENGTH = 500;

/** The ENSIP-15 normal form of a name that has a dot, or null when `text` is no such name. */
export function normaliseName(text: string): string | null {
  if (!text.includes('.') || text.length > MAX_LENGTH) return null;
  try {
    return ens_normalize(text);
  } catch {
    return null;
  }
}
