import { useTitle } from '../components/use-title.ts';

export function Network() {
  useTitle('Network');
  return <h1>Network</h1>;
}
