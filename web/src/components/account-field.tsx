import { useEffect, useState } from 'preact/hooks';

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

/** A form to choose another account by name or address. */
export function AccountField({ id, class: name, label, value, actions: [choose, clear], onChoose }: Props) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(text.trim());
  };
  return (
    <form class={name} onSubmit={submit}>
      <label for={id}>{label}</label>
      <input
        id={id}
        type="text"
        value={text}
        placeholder="name.eth or 0x…"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        maxLength={300}
        enterkeyhint="go"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit">{choose}</button>
      {value !== '' && (
        <button type="button" class="quiet" onClick={() => onChoose('')}>
          {clear}
        </button>
      )}
    </form>
  );
}
