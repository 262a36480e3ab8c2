import type { Details } from '../api/subject.ts';
import { Empty } from '../components/empty.tsx';
import { WayOn } from '../components/unknown.tsx';
import { About } from './about.tsx';

/** The overview of an account that has no followers and follows nobody, instead of empty panels. */
export function Unconnected({ details }: { readonly details: Details }) {
  return (
    <>
      <div class="panel unconnected">
        <Empty>Nobody follows this account, and it follows nobody.</Empty>
        <WayOn />
      </div>
      <About details={details} />
    </>
  );
}
