import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { matchesEtag } from '../request/response-cache.ts';

/** The documentation that the package has; the same for the sources and the compiled program. */
const FOLDER = fileURLToPath(new URL('../../../docs/', import.meta.url));
/** For links to what a server does not have. */
const REPOSITORY = 'https://github.com/kith-efp/kith/blob/HEAD';

const TYPES: Readonly<Record<string, string>> = { '.md': 'text/markdown', '.js': 'text/javascript' };

/** Pages by what a reader wants, in order, with what they are about. Others are added to the last section. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Using a Kith': {
    'agents.md': 'the Model Context Protocol, its tools, and twenty questions with their calls',
    'tasks.md': 'what to call for what one wants, with calls that work on the demo',
    'api.md': 'every lookup with its parameters, pages, formats and examples',
    'errors.md': 'the codes of errors, and what to do',
    'events.md': 'streams of what happens, with filters, resuming and undo after a reorg',
    'client.md': 'the client for TypeScript, in browsers and Node',
    'recipes.md': 'programs that use events: a webhook, a bot, a mirror of the graph',
    'data.md': 'the whole graph as CSV files, with queries for DuckDB',
    'glossary.md': 'lists, slots, records, edges and other terms',
    'compatibility.md': 'what differs from the public API, route by route',
    'clients.md': 'existing applications and libraries that work with a Kith, and how',
  },
  'Running a Kith': {
    'deploying.md': 'npm, container, Compose, systemd, Kubernetes, reverse proxies',
    'operating.md': 'sizes, the first sync, snapshots, upgrades, backups, workers',
    'settings.md': 'all environment variables',
    'monitoring.md': 'probes, metrics, alerts and the dashboard',
    'sources.md': 'where ENS names, profiles and badges come from',
    'security.md': 'threats, limits, and where each is tested',
  },
  Optional: {
    'architecture.md': 'how Kith is built: folders, tables, ingestion, reading',
    'adding-a-lookup.md': 'how to extend it',
    'reliability.md': 'drills of crashes, faults and reorgs with their results',
    'benchmark.md': 'how fast it is, and how that is measured',
  },
};

const SUMMARY = `# Kith

> A self-hosted, read-only API for the social graph of the Ethereum Follow Protocol (EFP): who follows, blocks, mutes and
> tags whom, with ENS names, ranks, notifications, event streams and badges. Nothing needs a key.

`;

interface Page {
  readonly text: string;
  readonly etag: string;
}

/**
 * Serves the documentation as Markdown at /docs/*.md, and at /llms.txt its index (https://llmstxt.org). `publicUrl` is the
 * origin of links; null if it is not known.
 */
export function registerMarkdownDocs(app: FastifyInstance, publicUrl: string | null): void {
  const files = existsSync(FOLDER) ? listFiles() : [];
  const pages = new Map<string, Page>();

  function read(file: string): Page {
    const known = pages.get(file);
    if (known !== undefined) return known;
    const page = pageOf(rewriteLinks(readFileSync(FOLDER + file, 'utf8'), file, files));
    pages.set(file, page);
    return page;
  }

  function send(request: FastifyRequest, reply: FastifyReply, type: string, { text, etag }: Page): FastifyReply {
    reply.headers({ 'cache-control': 'no-cache', etag });
    if (matchesEtag(request.headers['if-none-match'], etag.slice('W/'.length))) return reply.code(304).send();
    return reply.type(`${type}; charset=utf-8`).send(text);
  }

  const options = { schema: { hide: true } };
  for (const file of files) {
    const type = TYPES[posix.extname(file)] ?? 'text/plain';
    app.get(`/docs/${file}`, options, async (request, reply) => send(request, reply, type, read(file)));
  }
  app.get('/llms.txt', options, async (request, reply) => {
    const names = files.filter((file) => file.endsWith('.md'));
    const link = (file: string) => `- [${titleOf(read(file).text)}](${publicUrl ?? ''}/docs/${file})`;
    return send(request, reply, 'text/plain', pageOf(renderIndex(names, link, publicUrl ?? '')));
  });
}

/** Weak, because the text may be sent compressed. */
function pageOf(text: string): Page {
  return { text, etag: `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"` };
}

/** The pages and the programs that they show. Other folders of a clone are not in the package. */
function listFiles(): string[] {
  const filesIn = (folder: string, extension: string) =>
    readdirSync(FOLDER + folder)
      .filter((name) => name.endsWith(extension))
      .map((name) => folder + name);
  return [...filesIn('', '.md'), ...filesIn('recipes/', '.js')].sort();
}

const CODE_OR_LINK = /^```.*?^```|\]\(([^)\s]+)\)/gms;

/** Links among the served files stay relative; those to other files of the repository go there. */
function rewriteLinks(text: string, file: string, served: readonly string[]): string {
  return text.replace(CODE_OR_LINK, (all, link?: string) => {
    if (link === undefined || /^(?:#|[a-z]+:)/.test(link)) return all;
    const target = posix.join('docs', posix.dirname(file), link);
    const [path = ''] = target.split('#');
    return served.includes(posix.relative('docs', path)) ? all : `](${REPOSITORY}/${target})`;
  });
}

function renderIndex(files: readonly string[], link: (file: string) => string, origin: string): string {
  const known = Object.values(SECTIONS).flatMap((section) => Object.keys(section));
  const others = files.filter((file) => !known.includes(file));
  const sections = Object.entries(SECTIONS).map(([title, section]) => {
    const lines = Object.entries(section).flatMap(([file, about]) =>
      files.includes(file) ? `${link(file)}: ${about}` : [],
    );
    return `## ${title}\n\n${[...lines, ...(title === 'Optional' ? others.map(link) : [])].join('\n')}\n`;
  });
  return `${SUMMARY}Lookups are GET requests below ${origin}/api/v1, such as ${origin}/api/v1/users/vitalik.eth/stats.
[OpenAPI document](${origin}/openapi.json). ${origin}/mcp serves the Model Context Protocol unless that is off.

${sections.join('\n')}`;
}

const titleOf = (text: string) => /^# (.+)$/m.exec(text)?.[1] ?? '';
