import type { Details } from '../api/subject.ts';
import { Empty } from '../components/empty.tsx';
import { WayOn } from '../components/unknown.tsx';

export const isUnconnected = (details: Details | undefined): boolean =>
  details?.followers_count === 0 && details.following_count === 0;

/** About an account that has no followers and follows nobody, instead of empty panels. */
export function Unconnected() {
  return (
    <div class="panel unconnected">
      <Empty>Nobody follows this account, and it follows nobody.</Empty>
      <WayOn />
    </div>
  );
}
