import { render } from 'preact';
import '../styles/tokens.css';
import '../styles/base.css';
import '../styles/shell.css';
import '../styles/docs.css';
import { ThemeSwitch } from '../theme-switch.tsx';
import { addForm } from './form.ts';
import { Search } from './search.tsx';

// The server renders the operations. This adds what needs a script: the theme, the search, and forms that send examples.
const placeOf = (id: string): Element => {
  const place = document.getElementById(id);
  if (place === null) throw new Error(`the page has no element with the id "${id}"`);
  return place;
};
const operations = [...document.querySelectorAll<HTMLDetailsElement>('.operation')];

render(<ThemeSwitch />, placeOf('theme'));
render(<Search operations={operations} />, placeOf('search'));
for (const operation of operations) {
  operation.addEventListener('toggle', () => addForm(operation), { once: true });
}

/** Opens what a link of the page leads to: browsers do so only when they load it. */
function openTarget(): void {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const closed = target?.closest('details');
  if (!target || !closed) return;
  closed.open = true;
  closed.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();
