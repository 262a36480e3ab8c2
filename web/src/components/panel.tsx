import type { ComponentChildren } from 'preact';
import type { Request } from '../api/request.ts';
import { useRequests } from './requests.tsx';

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
  const { toggle, views } = useRequests(`Request of ${title}`, requests);
  const id = `panel-${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <h2 id={id}>{title}</h2>
        <div class="panel-controls">{controls}</div>
        {toggle}
      </header>
      {views}
      {children}
    </section>
  );
}
