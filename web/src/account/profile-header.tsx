import type { Details, Subject } from '../api/subject.ts';

interface Props {
  readonly subject: Subject;
  readonly details: Details;
}

export function ProfileHeader({ details }: Props) {
  return <h1>{details.ens.name || details.address}</h1>;
}
