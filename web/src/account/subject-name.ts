import type { Subject } from '../api/subject.ts';
import { shortAddress } from '../components/format.ts';

/** The name in the page's URL, or else the short address. */
export function subjectName({ kind, id }: Subject, address: string): string {
  return kind === 'account' && !id.startsWith('0x') ? id : shortAddress(address);
}
