import { readOpenApi } from '../../scripts/read-openapi.ts';

/** A request to the API: its method, and its path below /api/v1 with any query. */
export interface Asked {
  readonly method?: string | undefined;
  readonly path: string;
}

/** The lookups, like `GET /users/{addressOrENS}/account`, that none of the requests is for. */
export async function routesNotAsked(requests: readonly Asked[]): Promise<string[]> {
  const asked = requests.map(({ method = 'GET', path }) => `${method} /api/v1${path.split('?', 1)[0]}`);
  const { paths } = await readOpenApi();
  const routes = Object.entries<object>(paths)
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`))
    .filter((route) => route.includes(' /api/v1/'));
  return routes.filter((route) => {
    const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/]+')}$`);
    return !asked.some((request) => pattern.test(request));
  });
}
