import { useRef } from 'preact/hooks';
import { useKey } from '../components/use-key.ts';

/** Hides the operations that do not have all words of a text, and groups without any. */
export function Search({ operations }: { readonly operations: readonly HTMLDetailsElement[] }) {
  const field = useRef<HTMLInputElement>(null);
  const count = useRef<HTMLParagraphElement>(null);
  useKey('/', () => field.current?.focus());
  const search = (text: string) => {
    const words = text.toLowerCase().split(/\s+/);
    let shown = 0;
    for (const operation of operations) {
      const { textContent } = operation.querySelector('summary') as HTMLElement;
      operation.hidden = !words.every((word) => textContent.toLowerCase().includes(word));
      if (!operation.hidden) shown += 1;
    }
    for (const section of document.querySelectorAll<HTMLElement>('.docs-body > section')) {
      section.hidden = text !== '' && section.querySelector('.operation:not([hidden])') === null;
    }
    if (count.current !== null)
      count.current.textContent = text === '' ? '' : `${shown} of ${operations.length} operations`;
  };
  return (
    <>
      <input
        ref={field}
        type="search"
        aria-label="Search operations"
        placeholder="Search operations"
        onInput={({ currentTarget }) => search(currentTarget.value)}
      />
      <p class="visually-hidden" aria-live="polite" ref={count} />
    </>
  );
}
