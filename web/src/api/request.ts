import type { paths } from './provisional-api.ts';

/** An API call that has not been made yet. Two with the same URL are equal. */
export interface Request<T> {
  readonly url: string;
  load(signal: AbortSignal): Promise<T>;
}

const API = '/api/v1';
type Get<P extends keyof paths> = NonNullable<paths[P]['get']>;
type Parameters<P extends keyof paths> = Get<P> extends { parameters: infer A } ? A : never;
type Known<T> = T extends object ? T : object;
export type Path = { [P in keyof paths]: P extends `${typeof API}${infer Rest}` ? Rest : never }[keyof paths];
export type ParametersOf<P extends Path> =
  Parameters<`${typeof API}${P}`> extends { path?: infer A; query?: infer B } ? Known<A> & Known<B> : never;
export type ResponseOf<P extends Path> =
  Get<`${typeof API}${P}`> extends {
    responses: { 200: { content: { 'application/json': infer T } } };
  }
    ? T
    : never;

/** A lookup. `path` is that of the OpenAPI document without /api/v1; `parameters` are those of the path and of the query. */
export function lookup<P extends Path>(path: P, parameters: ParametersOf<P>): Request<ResponseOf<P>> {
  const query = new URLSearchParams();
  let filled: string = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (filled.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const url = `${API}${filled}${query.size === 0 ? '' : `?${query}`}`;
  return { url, load: (signal) => loadJson(url, signal) };
}

export class HttpError extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

async function loadJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { signal });
  const body = await response.json();
  if (!response.ok) throw new HttpError(response.status, body.detail);
  return body;
}
