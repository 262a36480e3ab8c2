import { demoPictureIn } from '../../../src/contract/demo-picture.ts';

/** Returns a URL that is safe as the target of a link; null for other schemes. Records are written by strangers. */
export function safeLinkUrl(text: string | null | undefined): string | null {
  return parse(text, ['https:', 'http:']);
}

/** The same for a picture. The service itself has those of demo profiles, whatever address they were generated with. */
export function safeImageUrl(text: string | null | undefined): string | null {
  return demoPictureIn(text ?? '') ?? parse(text, ['https:']);
}

function parse(text: string | null | undefined, schemes: readonly string[]): string | null {
  if (!text) return null;
  try {
    const url = new URL(text);
    return schemes.includes(url.protocol) && url.username === '' ? url.href : null;
  } catch {
    return null;
  }
}
