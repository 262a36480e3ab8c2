import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { describeError } from '../api/request.ts';
import { useKey } from '../components/use-key.ts';
import { useLoading } from '../network/loading.ts';
import '../styles/search.css';
import { type Option, OptionLink, optionsOf } from './option.tsx';
import { targetOf } from './target.ts';
import { type Search, useSearch } from './use-search.ts';

/** The search of accounts and lists, a combobox as described by the WAI-ARIA authoring practices. */
export function SearchBox({ isLarge = false }: { readonly isLarge?: boolean }) {
  const { route } = useLocation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [isOpen, setIsOpen] = useState(false);
  /** The path of the active option. Without one, Enter goes to what the text names, or to the first match. */
  const [activePath, setActivePath] = useState<string | null>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const term = text.trim();
  const search = useSearch(term);
  const options = term === '' ? [] : optionsOf(targetOf(term), search.matches);
  const active = options.findIndex(({ path }) => path === activePath);
  const isShown = isOpen && term !== '';
  const idOf = (index: number) => `${id}-option-${index}`;

  useKey('/', () => {
    input.current?.focus();
    input.current?.select();
  });

  const change = (value: string) => {
    setText(value);
    setIsOpen(value.trim() !== '');
    setActivePath(null);
    setIsSubmitted(false);
  };
  const move = (to: number) => {
    setIsOpen(true);
    setActivePath(options[to]?.path ?? null);
    document.getElementById(idOf(to))?.scrollIntoView({ block: 'nearest' });
  };
  const leave = () => {
    change('');
    input.current?.blur();
  };
  const goTo = ({ path }: Option) => {
    leave();
    route(path);
  };
  const submit = () => {
    const chosen = options[active] ?? options.find(({ target }) => target !== null);
    if (chosen !== undefined) return goTo(chosen);
    setIsOpen(true);
    setIsSubmitted(term !== '');
  };

  // Enter may come before the matches do.
  useEffect(() => {
    if (!isSubmitted || !search.isCurrent) return;
    setIsSubmitted(false);
    if (options[0] !== undefined) goTo(options[0]);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = options.length - 1;
    const isMoving = isShown && active !== -1;
    if (event.key === 'ArrowDown' && last >= 0) move(active === last ? 0 : active + 1);
    else if (event.key === 'ArrowUp' && last >= 0) move(active <= 0 ? last : active - 1);
    else if (event.key === 'Home' && isMoving) move(0);
    else if (event.key === 'End' && isMoving) move(last);
    else if (event.key === 'Enter') submit();
    else if (event.key === 'Escape') {
      if (isShown) setIsOpen(false);
      else change('');
      setActivePath(null);
    } else return;
    event.preventDefault();
  };

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
          ref={input}
          type="text"
          role="combobox"
          aria-label="Search for a name, an address or a list number"
          aria-autocomplete="list"
          aria-expanded={isShown && options.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={isShown && active !== -1 ? idOf(active) : undefined}
          aria-keyshortcuts="/"
          placeholder={isLarge ? 'Name, address or list number' : 'Search'}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="go"
          value={text}
          onInput={(event) => change(event.currentTarget.value)}
          onFocus={() => setIsOpen(true)}
          onClick={() => setIsOpen(true)}
          onBlur={() => {
            setIsOpen(false);
            setIsSubmitted(false);
          }}
          onKeyDown={onKeyDown}
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
      {isShown && (
        <div class="search-results">
          {options.length > 0 && (
            <div id={`${id}-list`} role="listbox" aria-label="Results">
              {options.map((option, index) => (
                <OptionLink
                  key={option.path}
                  option={option}
                  id={idOf(index)}
                  isActive={index === active}
                  term={term}
                  onPoint={() => setActivePath(option.path)}
                  onOpen={leave}
                />
              ))}
            </div>
          )}
          <Message search={search} />
        </div>
      )}
      <p class="visually-hidden" role="status">
        {isShown && search.isCurrent && search.error === undefined && describeCount(search.matches.length)}
      </p>
    </search>
  );
}

function Message({ search: { error, isCurrent, matches } }: { readonly search: Search }) {
  const loading = useLoading();
  if (error !== undefined) {
    return (
      <p class="search-message" role="alert">
        {`The search failed: ${describeError(error)} Typing on tries again.`}
      </p>
    );
  }
  if (matches.length > 0) return null;
  return (
    <p class="search-message">{isCurrent ? (loading ?? 'No account on the leaderboard matches.') : 'Searching'}</p>
  );
}

const describeCount = (count: number): string =>
  count === 0 ? 'No account matches.' : `${count} ${count === 1 ? 'account matches' : 'accounts match'}.`;
