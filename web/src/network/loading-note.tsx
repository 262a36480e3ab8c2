import '../styles/loading.css';
import { useLoading } from './loading.ts';

/** Says on every page that the data is incomplete. */
export function LoadingNote() {
  const loading = useLoading();
  if (!loading) return null;
  return (
    <p class="loading-note" role="status">
      {loading} Until then, accounts, lists and numbers are incomplete. <a href="/network">Details</a>
    </p>
  );
}
