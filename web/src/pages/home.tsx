import { useTitle } from '../components/use-title.ts';

export function Home() {
  useTitle('Home');
  return <h1>Home</h1>;
}
