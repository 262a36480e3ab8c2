import type { FastifyInstance } from 'fastify';
import { parseWebUrl } from '../config/parsers.ts';
import { type Post, serveStdio } from '../mcp/stdio.ts';
import type { Command, Context } from './command.ts';
import { withApp } from './with-app.ts';
import { withStore } from './with-store.ts';

/** Longer than any lookup takes. */
const TIMEOUT_MS = 60_000;

export const mcp: Command = {
  usage: '[URL]',
  maxPositionals: 1,
  isLongRunning: true,
  isRemote: ({ positionals }) => positionals.length > 0,
  help: `Serves the Model Context Protocol over standard input and output, for programs that start their tools as processes:
from the database, or from the running Kith at URL. Ends with its input, or on SIGTERM. Logs go to standard error.`,
  async run(context, { positionals: [url] }) {
    if (url !== undefined) return serve(context, postTo(url));
    await withStore(context, (store) => withApp(locally(context), store, (app) => serve(context, postInto(app))), {
      mustExist: true,
    });
  },
};

function serve({ stdin, stdout, signal }: Context, post: Post): Promise<void> {
  return serveStdio({ input: stdin, output: stdout, post, signal });
}

/** The only client is the program that has started this one. */
function locally(context: Context): Context {
  const { config } = context;
  return { ...context, config: { ...config, servesMcp: true, limits: { ...config.limits, rateLimit: null } } };
}

const postInto =
  (app: FastifyInstance): Post =>
  async (payload, headers, signal) => {
    const { statusCode, payload: text } = await app.inject({ method: 'POST', url: '/mcp', payload, headers, signal });
    return { status: statusCode, text };
  };

function postTo(url: string): Post {
  const base = parseWebUrl('URL', url);
  return async (body, headers, signal) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const response = await fetch(`${base}/mcp`, { method: 'POST', body, headers, signal: limited });
    return { status: response.status, text: await response.text() };
  };
}
