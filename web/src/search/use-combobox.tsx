import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { describeError } from '../api/request.ts';
import { useLoading } from '../network/loading.ts';
import '../styles/search.css';
import { meaningOf } from './meaning.ts';
import { type Option, OptionRow, optionsOf } from './option.tsx';
import { type Search, useSearch } from './use-search.ts';

interface Choices {
  readonly text: string;
  /** Whether only accounts are offered, not lists. */
  readonly isAccountOnly?: boolean;
  /** Whether the options are links, which can be opened in another tab. */
  readonly isLinked?: boolean;
  onText(text: string): void;
  onChoose(option: Option): void;
  /** Escape, while no options are shown. */
  onEscape?(): void;
}

/** A field that suggests accounts and lists: a combobox as described by the WAI-ARIA authoring practices. */
export function useCombobox({ text, isAccountOnly = false, isLinked = false, onText, onChoose, onEscape }: Choices) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  /** The path of the active option. Without one, Enter chooses what the text names, or the first match. */
  const [activePath, setActivePath] = useState<string | null>(null);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const { target, term, end } = meaningOf(text, location.host);
  const search = useSearch(isOpen ? term : '', end);
  const options = optionsOf(isAccountOnly && target?.kind === 'List' ? null : target, search.matches);
  const active = options.findIndex(({ path }) => path === activePath);
  const isShown = isOpen && text.trim() !== '';
  const idOf = (index: number) => `${id}-option-${index}`;

  const close = () => {
    setIsOpen(false);
    setActivePath(null);
    setIsSubmitted(false);
  };
  const change = (value: string) => {
    onText(value);
    close();
    setIsOpen(value.trim() !== '');
  };
  const move = (to: number) => {
    setIsOpen(true);
    setActivePath(options[to]?.path ?? null);
    document.getElementById(idOf(to))?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (option: Option) => {
    close();
    onChoose(option);
  };
  const submit = () => {
    const chosen = options[active] ?? options.find((option) => option.target !== null);
    if (chosen !== undefined) return choose(chosen);
    input.current?.focus();
    setIsOpen(true);
    setIsSubmitted(text.trim() !== '');
  };

  // Enter may come before the matches do.
  useEffect(() => {
    if (!isSubmitted || !search.isCurrent) return;
    setIsSubmitted(false);
    if (options[0] === undefined) return;
    // A similar name can be that of somebody else, so it takes another Enter.
    if (options[0].match?.guess) move(0);
    else choose(options[0]);
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    const last = options.length - 1;
    const isMoving = isShown && active !== -1;
    if (event.key === 'ArrowDown' && last >= 0) move(active === last ? 0 : active + 1);
    else if (event.key === 'ArrowUp' && last >= 0) move(active <= 0 ? last : active - 1);
    else if (event.key === 'ArrowDown') setIsOpen(true);
    else if (event.key === 'Home' && isMoving) move(0);
    else if (event.key === 'End' && isMoving) move(last);
    else if (event.key === 'Enter' && text.trim() !== '') submit();
    else if (event.key === 'Escape' && isShown) close();
    else if (event.key === 'Escape' && onEscape !== undefined) onEscape();
    else return;
    event.preventDefault();
  };

  const field = {
    ref: input,
    type: 'text',
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': isShown && options.length > 0,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': isShown && active !== -1 ? idOf(active) : undefined,
    autocomplete: 'off',
    autocapitalize: 'none',
    spellcheck: false,
    enterkeyhint: 'go',
    maxLength: 1000,
    value: text,
    onInput: (event: { currentTarget: HTMLInputElement }) => change(event.currentTarget.value),
    onClick: () => setIsOpen(true),
    onBlur: close,
    onKeyDown,
  } as const;

  const results = (
    <>
      {isShown && (
        <div class="search-results">
          {options.length > 0 && (
            <div id={`${id}-list`} role="listbox" aria-label="Results">
              {options.map((option, index) => (
                <OptionRow
                  key={option.path}
                  option={option}
                  id={idOf(index)}
                  isActive={index === active}
                  isLink={isLinked}
                  term={term}
                  onPoint={() => setActivePath(option.path)}
                  onChoose={choose}
                />
              ))}
            </div>
          )}
          {term !== '' && <Message search={search} />}
        </div>
      )}
      <span class="visually-hidden" aria-live="polite">
        {isShown && term !== '' && search.isCurrent && search.error === undefined && describeMatches(search)}
      </span>
    </>
  );
  return { field, results, input, submit, change };
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

function describeMatches({ matches }: Search): string {
  const similar = matches.filter(({ guess }) => guess).length;
  const count = matches.length - similar;
  const found = count === 0 ? 'No account matches' : `${count} ${count === 1 ? 'account matches' : 'accounts match'}`;
  return `${found}${similar === 0 ? '' : `, ${similar} ${similar === 1 ? 'has a similar name' : 'have similar names'}`}.`;
}
