import { useTitle } from '../components/use-title.ts';

export function Leaderboard() {
  useTitle('Leaderboard');
  return <h1>Leaderboard</h1>;
}
