import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Request } from '../api/request.ts';
import { RequestView } from './request-view.tsx';

interface Props {
  readonly title: string;
  /** The API calls behind the panel. */
  readonly requests: readonly (Request<unknown> | null)[];
  /** Filters, beside the title. */
  readonly controls?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a page, which can show the API calls that it was made from. */
export function Panel({ title, requests, controls, children }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const id = `panel-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <div class="panel-controls">{controls}</div>
        <button
          type="button"
          class="quiet request-toggle"
          aria-expanded={isOpen}
          aria-label={`Request of ${title}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {'{ }'}
        </button>
      </header>
      {isOpen && (
        <div class="panel-requests">
          {requests.map((request) => request !== null && <RequestView key={request.url} request={request} />)}
        </div>
      )}
      {children}
    </section>
  );
}
