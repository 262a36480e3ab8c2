import { useEffect, useState } from 'preact/hooks';

interface Props {
  readonly viewer: string;
  onChoose(viewer: string): void;
}

/** The account for which the relations are shown, instead of the centre. */
export function ViewerField({ viewer, onChoose }: Props) {
  const [text, setText] = useState(viewer);
  useEffect(() => setText(viewer), [viewer]);
  const submit = (event: Event) => {
    event.preventDefault();
    onChoose(text.trim());
  };
  return (
    <form class="graph-viewer" onSubmit={submit}>
      <label for="graph-viewer">View as</label>
      <input
        id="graph-viewer"
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
      <button type="submit">View</button>
      {viewer !== '' && (
        <button type="button" class="quiet" onClick={() => onChoose('')}>
          Stop
        </button>
      )}
    </form>
  );
}
