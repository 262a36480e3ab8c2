import type { Subject } from '../api/subject.ts';

interface Props {
  readonly subject: Subject;
  /** Of the account that the page is about. */
  readonly address: string;
}

export function Edges(_props: Props) {
  return null;
}
