const MAX_SHOWN = 200_000;

/** Adds a field for each parameter of an operation, and a button that sends the request. */
export function addForm(operation: HTMLDetailsElement): void {
  const { method = '', path = '', send } = operation.dataset;
  const command = operation.querySelector<HTMLElement>('.request');
  if (command === null) return;
  const rows = [...operation.querySelectorAll<HTMLElement>('[data-name]')];
  const fields = rows.map((row) => ({ row, field: addField(row) }));
  const body = method === 'POST' ? addBody(operation, bodyIn(command.textContent)) : null;
  const requestNow = () => readRequest(path, fields);
  const show = () => {
    const { url } = requestNow();
    command.textContent =
      body === null ? `curl "${url}"` : `curl --json '${body.value.replaceAll("'", "'\\''")}' "${url}"`;
  };
  operation.addEventListener('input', show);
  show();
  if (send === undefined) return;
  const button = element('button', { type: 'button', textContent: 'Send request' });
  const output = element('div', { className: 'sent' });
  output.setAttribute('aria-live', 'polite');
  command.after(button, output);
  button.addEventListener('click', async () => {
    button.disabled = true;
    const answer = await sendRequest(requestNow(), body?.value);
    // Landmarks have different names.
    answer.ariaLabel = `Answer to ${method} ${path}`;
    output.replaceChildren(answer);
    button.disabled = false;
  });
}

type Fields = readonly { readonly row: HTMLElement; readonly field: HTMLInputElement }[];
interface ReadyRequest {
  readonly url: string;
  readonly headers: Record<string, string>;
}

function addField(row: HTMLElement): HTMLInputElement {
  const { name = '', example = '' } = row.dataset;
  const field = element('input', { type: 'text', value: example, ariaLabel: name, spellcheck: false });
  field.autocomplete = 'off';
  row.querySelector('dd')?.append(field);
  return field;
}

function addBody(operation: HTMLDetailsElement, example: string): HTMLTextAreaElement {
  const field = element('textarea', { value: example, ariaLabel: 'Body', rows: 3, spellcheck: false });
  operation.querySelector('.request')?.before(field);
  return field;
}

/** What the server wrote between the quotes of the command. */
const bodyIn = (command: string) => /'(.*)'/s.exec(command)?.[1] ?? '[]';

function readRequest(path: string, fields: Fields): ReadyRequest {
  let filled = path;
  const query = new URLSearchParams();
  // A stream of events would never end.
  const headers: Record<string, string> = { accept: 'application/json' };
  for (const { row, field } of fields) {
    const { name = '', in: place } = row.dataset;
    const value = field.value.trim();
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && place === 'query') query.set(name, value);
    else if (value !== '') headers[name] = value;
  }
  return { url: `${location.origin}${filled}${query.size === 0 ? '' : `?${query}`}`, headers };
}

async function sendRequest({ url, headers }: ReadyRequest, body: string | undefined): Promise<HTMLElement> {
  const init = body === undefined ? {} : { method: 'POST', body };
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  try {
    const answer = await fetch(url, { ...init, headers: { ...headers, ...type } });
    return render(`${answer.status} ${answer.statusText}`, pretty(await answer.text()));
  } catch (error) {
    return render('No answer', String(error));
  }
}

function render(status: string, text: string): HTMLElement {
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}\n…` : text;
  // Focusable, because it scrolls.
  const answer = element('pre', { className: 'answer', tabIndex: 0, textContent: `${status}\n\n${shown}` });
  answer.setAttribute('role', 'region');
  return answer;
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), properties);
}
