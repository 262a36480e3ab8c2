import { remembered } from '../api/memory.ts';
import { type Details, requestsOf, type Subject } from '../api/subject.ts';
import { shortAddress } from '../components/format.ts';

/** The name of the account that the page is about, or else its short address. The page has loaded the details. */
export function subjectName(subject: Subject, address: string): string {
  const details = remembered(requestsOf(subject).details().url) as Details | undefined;
  return details?.ens.name || shortAddress(address);
}
