import { useRef } from 'preact/hooks';
import { useKey } from './components/use-key.ts';
import './styles/keyboard-help.css';

const GROUPS = [
  {
    title: 'Everywhere',
    keys: [
      ['/', 'Search'],
      ['?', 'Show this help'],
    ],
  },
  {
    title: 'In the search',
    keys: [
      ['↑ ↓', 'Next and previous result'],
      ['Enter', 'Open the result'],
      ['Esc', 'Close the results, then clear the field'],
    ],
  },
  {
    title: 'In the picture of a neighbourhood',
    keys: [
      ['N P', 'Select the next and previous account'],
      ['Enter', 'Open the selected account'],
      ['E', 'Expand the selected account'],
      ['Esc', 'Select none'],
      ['← ↑ → ↓', 'Move the picture'],
      ['+ −', 'Zoom in and out'],
      ['0', 'Show the whole picture'],
    ],
  },
] as const;

/** The button that opens the list of keys, and the list. The browser closes it with Escape and restores the focus. */
export function KeyboardHelp() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = () => dialog.current?.showModal();
  useKey('?', open);
  return (
    <>
      <button type="button" class="quiet" aria-keyshortcuts="?" onClick={open}>
        Keyboard shortcuts
      </button>
      <dialog ref={dialog} class="keyboard-help" aria-labelledby="keyboard-help">
        <div class="keyboard-help-head">
          <h2 id="keyboard-help">Keyboard shortcuts</h2>
          <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
            ×
          </button>
        </div>
        {GROUPS.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, action]) => (
                <div key={key}>
                  <dt>
                    {key.split(' ').map((one) => (
                      <kbd key={one} class="key">
                        {one}
                      </kbd>
                    ))}
                  </dt>
                  <dd>{action}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </dialog>
    </>
  );
}
