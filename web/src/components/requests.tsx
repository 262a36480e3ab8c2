import { useState } from 'preact/hooks';
import type { Request } from '../api/request.ts';
import { RequestView } from './request-view.tsx';

/** The button that shows the API calls behind a panel, and these calls. */
export function useRequests(label: string, requests: readonly (Request<unknown> | null)[]) {
  const [isOpen, setIsOpen] = useState(false);
  const toggle = (
    <button
      type="button"
      class="quiet request-toggle"
      aria-expanded={isOpen}
      aria-label={label}
      onClick={() => setIsOpen(!isOpen)}
    >
      {'{ }'}
    </button>
  );
  const views = isOpen && (
    <div class="panel-requests">
      {requests.map((request) => request !== null && <RequestView key={request.key} request={request} />)}
    </div>
  );
  return { toggle, views };
}
