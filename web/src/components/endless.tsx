import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { PAGE, type Pages } from '../api/use-pages.ts';
import { NewRows } from '../live/new-rows.tsx';
import { Empty } from './empty.tsx';
import { Problem } from './problem.tsx';
import { useEndInView } from './use-end-in-view.ts';

interface Props<E> {
  readonly pages: Pages<E>;
  readonly label: string;
  /** Shown if the list is empty. */
  readonly empty: string;
  /** What a row is, in the singular. */
  readonly noun?: string;
  readonly children: (entry: E) => ComponentChildren;
}

/** A list that loads its next page when its end is scrolled into view. */
export function Endless<E>({ pages, label, empty, noun = 'entry', children }: Props<E>) {
  const end = useEndInView(pages);
  const after = useRef<HTMLDivElement>(null);
  const { entries, error, isLoading, isComplete, loadMore, newer, showNewer } = pages;
  const list = useRef<HTMLUListElement>(null);
  return (
    <div class="endless" aria-busy={isLoading} data-complete={isComplete}>
      {/* Moving the focus through the list would load it to its end. */}
      <button type="button" class="visually-hidden" onClick={() => after.current?.focus()}>
        Skip {label.toLowerCase()}
      </button>
      <NewRows
        count={newer}
        isMore={newer >= PAGE}
        noun={noun}
        onShow={() => {
          showNewer();
          list.current?.focus();
        }}
      />
      <ul ref={list} tabIndex={-1} class="rows" aria-label={label}>
        {entries.map((entry, index) => (
          <li key={index}>{children(entry)}</li>
        ))}
      </ul>
      {isComplete && entries.length === 0 && <Empty>{empty}</Empty>}
      {error !== undefined && <Problem error={error} retry={loadMore} />}
      {isLoading && <RowsPlaceholder count={4} />}
      <div ref={end} class="list-end" />
      <div ref={after} tabIndex={-1} />
    </div>
  );
}

export function RowsPlaceholder({ count }: { readonly count: number }) {
  return (
    <div class="rows placeholder" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, row) => (
        <div key={row} class="row-placeholder" />
      ))}
    </div>
  );
}
