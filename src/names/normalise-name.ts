import { ens_normalize } from '@adraffy/ens-normalize';

/** Twice the limit of DNS. Bounds the cost of normalising, and the size of a key in a PostgreSQL index. */
const MAX_LENGTH = 500;

/** ENSIP-15 normalisation. Returns null for an invalid name, or one without a dot. */
export function normaliseName(text: string): string | null {
  if (!text.includes('.') || text.length > MAX_LENGTH) return null;
  try {
    return ens_normalize(text);
  } catch {
    return null;
  }
}

/** Loads the tables of the normalisation, which takes about half a second and would otherwise delay the first request. */
export function loadNormalisation(): void {
  ens_normalize('load.eth');
}
