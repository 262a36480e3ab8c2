import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../components/problem.tsx';

interface Props {
  readonly text: string;
  readonly label: string;
}

/** A QR code. Its generator is not in the first load. */
export function QrCode({ text, label }: Props) {
  const [modules, setModules] = useState<readonly (readonly boolean[])[]>([]);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    import('uqr').then(
      ({ encode }) => setModules(encode(text, { ecc: 'M', border: 4 }).data),
      () => setError(new Error('The code that draws the QR code could not be loaded.')),
    );
  }, [text]);
  if (error !== undefined) return <Problem error={error} retry={() => location.reload()} />;
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${modules.length} ${modules.length}`}
      shape-rendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <path d={path.join('')} />
    </svg>
  );
}
