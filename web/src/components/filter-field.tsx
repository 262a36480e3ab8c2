import { useEffect, useRef, useState } from 'preact/hooks';

/** The longest term that a search takes. */
const MAX_TERM = 255;

/** A term in the query of a page, as it is sent. */
export const termOf = (query: Record<string, string>): string =>
  (query.term ?? '').trim().slice(0, MAX_TERM).toWellFormed();

interface Props {
  readonly label: string;
  readonly term: string;
  readonly onChange: (term: string) => void;
}

const DELAY_MS = 250;

/** A search field that reports its text after a pause. Escape clears it. */
export function FilterField({ label, term, onChange }: Props) {
  const [text, setText] = useState(term);
  const timer = useRef<number | undefined>(undefined);
  const report = useRef(onChange);
  report.current = onChange;
  const stop = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  useEffect(() => stop, []);
  // The term also changes by navigation; what is being typed takes precedence.
  useEffect(() => {
    if (timer.current === undefined && text.trim() !== term) setText(term);
  }, [term]);
  const change = (next: string, delay: number) => {
    stop();
    setText(next);
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      report.current(next.trim());
    }, delay);
  };
  return (
    <input
      type="search"
      class="filter-field"
      aria-label={label}
      placeholder={label}
      autocomplete="off"
      spellcheck={false}
      maxLength={MAX_TERM}
      value={text}
      onInput={(event) => change(event.currentTarget.value, DELAY_MS)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || text === '') return;
        event.preventDefault();
        change('', 0);
      }}
    />
  );
}
