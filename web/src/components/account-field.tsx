import { useEffect, useState } from 'preact/hooks';
import { useCombobox } from '../search/use-combobox.tsx';

interface Props {
  readonly id: string;
  readonly class: string;
  readonly label: string;
  /** The name or address that is chosen, or an empty text. */
  readonly value: string;
  /** Of the button that chooses, and of the one that ends the choice. */
  readonly actions: readonly [choose: string, clear: string];
  onChoose(value: string): void;
}

/** A form to choose an account by name or address, with suggestions. */
export function AccountField({ id, class: name, label, value, actions: [choose, clear], onChoose }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const { field, results, submit } = useCombobox({
    text,
    isAccountOnly: true,
    onText: setText,
    onChoose({ target, match }) {
      const chosen = target?.id ?? (match?.name || match?.address) ?? '';
      setText(chosen);
      onChoose(chosen);
    },
  });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') onChoose('');
    else submit();
  };
  return (
    <form class={name} onSubmit={onSubmit}>
      <label for={id}>{label}</label>
      <span class="search">
        <input {...field} id={id} placeholder="name.eth or 0x…" />
        {results}
      </span>
      <button type="submit">{choose}</button>
      {value !== '' && (
        <button type="button" class="quiet" onClick={() => onChoose('')}>
          {clear}
        </button>
      )}
    </form>
  );
}
