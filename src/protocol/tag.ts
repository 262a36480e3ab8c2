import { byteLength, type Hex, hexToBuffer } from './hex.ts';

const MAX_TAG_BYTES = 255;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export type DecodedTag =
  | { kind: 'tag'; tag: string }
  | { kind: 'ignored'; reason: 'tag-too-long' | 'tag-not-utf8' | 'tag-empty' };

/** The normal form of tags, both for tags on chain and for tags in queries. */
export function normaliseTag(text: string): string {
  return text.trim().toLowerCase();
}

/** @see https://docs.efp.app/design/tags/ */
export function decodeTag(bytes: Hex): DecodedTag {
  if (byteLength(bytes) > MAX_TAG_BYTES) return { kind: 'ignored', reason: 'tag-too-long' };
  let text: string;
  try {
    text = utf8.decode(hexToBuffer(bytes));
  } catch {
    return { kind: 'ignored', reason: 'tag-not-utf8' };
  }
  const tag = normaliseTag(text.replaceAll('\0', ''));
  return tag === '' ? { kind: 'ignored', reason: 'tag-empty' } : { kind: 'tag', tag };
}
