import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useKey } from '../components/use-key.ts';
import { useCombobox } from './use-combobox.tsx';

/** The search of accounts and lists, which leads to their pages. */
export function SearchBox({ isLarge = false }: { readonly isLarge?: boolean }) {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const { field, results, input, change } = useCombobox({
    text,
    isLinked: true,
    onText: setText,
    onChoose({ path }) {
      setText('');
      input.current?.blur();
      route(path);
    },
    onEscape: () => setText(''),
  });
  useKey('/', () => {
    input.current?.focus();
    input.current?.select();
  });
  return (
    <search class="search" data-large={isLarge}>
      <div class="search-field">
        <svg
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          stroke-linecap="round"
          aria-hidden="true"
        >
          <circle cx="11" cy="11" r="6.5" />
          <path d="m16 16 4.5 4.5" />
        </svg>
        <input
          {...field}
          aria-label="Search for a name, an address or a list number"
          aria-keyshortcuts="/"
          placeholder={isLarge ? 'Name, address or list number' : 'Search'}
        />
        {text === '' ? (
          <span class="key" aria-hidden="true">
            /
          </span>
        ) : (
          <button
            type="button"
            class="quiet"
            aria-label="Clear the search"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              change('');
              input.current?.focus();
            }}
          >
            ×
          </button>
        )}
      </div>
      {results}
    </search>
  );
}
