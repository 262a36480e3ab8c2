import { type Hex, parseHex } from '../protocol/hex.ts';

/** Providers that relay to another node nest its error a few levels deep. */
const MAX_DEPTH = 4;
/** Parity and its successors return the data in a text such as `Reverted 0x08c379a0…`. */
const REVERTED = /^(?:Reverted|execution reverted:?)\s+(0x[0-9a-f]*)$/i;

/** Finds the revert data in a JSON-RPC error: in `data`, in an error nested in it, or in a text. Null if it has none. */
export function findRevertData(error: unknown, depth = 0): Hex | null {
  if (typeof error === 'string') return parseHex(REVERTED.exec(error.trim())?.[1] ?? error);
  if (typeof error !== 'object' || error === null || depth > MAX_DEPTH) return null;
  const { data, originalError, error: inner, cause, message } = error as Record<string, unknown>;
  for (const part of [data, originalError, inner, cause]) {
    const found = findRevertData(part, depth + 1);
    if (found !== null) return found;
  }
  return typeof message === 'string' && REVERTED.test(message.trim()) ? findRevertData(message) : null;
}
