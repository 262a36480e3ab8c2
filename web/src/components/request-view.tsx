import { useState } from 'preact/hooks';
import type { Request } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { CopyButton } from './copy-button.tsx';
import { Problem } from './problem.tsx';
import { Segments } from './segments.tsx';

type Form = 'curl' | 'fetch' | 'JSON';
const FORMS = (['curl', 'fetch', 'JSON'] as const).map((value) => ({ value, label: value }));

/** An API call as curl, as fetch and with its response. */
export function RequestView({ request }: { readonly request: Request<unknown> }) {
  const [form, setForm] = useState<Form>('curl');
  const { data, error, reload } = useRequest(form === 'JSON' ? request : null);
  const url = new URL(request.url, location.origin).href;
  const text = {
    curl: curlOf(url, request.body),
    fetch: fetchOf(url, request.body),
    JSON: data === undefined ? '' : JSON.stringify(data, null, 2),
  }[form];
  return (
    <div class="request">
      <div class="request-head">
        <Segments label="Form of the request" options={FORMS} value={form} onChange={setForm} />
        <CopyButton text={text} label="Copy" />
      </div>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard. */}
      <pre class="request-text" tabIndex={0}>
        {text}
      </pre>
    </div>
  );
}

function curlOf(url: string, body: Request<unknown>['body']): string {
  const json = body === undefined ? '' : `--json '${JSON.stringify(body)}' `;
  return `curl ${json}'${url.replaceAll("'", '%27')}'`;
}

function fetchOf(url: string, body: Request<unknown>['body']): string {
  const options =
    body === undefined
      ? ''
      : `, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(body)}),
}`;
  return `const response = await fetch(${JSON.stringify(url)}${options});\nconst body = await response.json();`;
}
