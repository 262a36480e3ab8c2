import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  readonly label: string;
}

export function CopyButton({ text, label }: Props) {
  const [result, setResult] = useState<string | null>(null);
  const copy = async () => {
    try {
      // Undefined without TLS, except on localhost.
      await navigator.clipboard.writeText(text);
      setResult('Copied');
    } catch {
      setResult('Not copied: the browser forbids it');
    }
  };
  return (
    <button type="button" class="quiet copy" onClick={copy} onBlur={() => setResult(null)}>
      <span aria-live="polite">{result ?? label}</span>
    </button>
  );
}
