import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  readonly label: string;
}

export function CopyButton({ text, label }: Props) {
  const [result, setResult] = useState<string | null>(null);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setResult('Copied'),
      () => setResult('Not copied'),
    );
  return (
    <button type="button" class="quiet copy" onClick={copy} onBlur={() => setResult(null)}>
      <span aria-live="polite">{result ?? label}</span>
    </button>
  );
}
