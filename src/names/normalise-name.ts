import { ens_normalize } from '@adraffy/ens-normalize';

/** The ENSIP-15 normal form of a name that has a dot, or null when `text` is no such name. */
export function normaliseName(text: string): string | null {
  // DNS allows 255 bytes and contracts little more; normalising is not for unbounded input.
  if (!text.includes('.') || text.length > 1000) return null;
  try {
    return ens_normalize(text);
  } catch {
    return null;
  }
}
