import { useTitle } from '../components/use-title.ts';

export function NotFound() {
  useTitle('Not found');
  return (
    <div class="message">
      <h1>There is no such page</h1>
      <p>
        Search for a name, an address or a list number, or look at the <a href="/leaderboard">leaderboard</a>.
      </p>
    </div>
  );
}
