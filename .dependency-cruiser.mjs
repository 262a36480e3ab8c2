/**
 * What each folder of src/ may import, beside itself. A folder names only folders above it, so there is no cycle between
 * folders. docs/architecture.md has the same table.
 */
export const MAY_IMPORT = {
  errors: [],
  async: [],
  protocol: ['errors'],
  contract: [],
  graph: ['protocol'],
  store: ['errors', 'async', 'protocol', 'graph'],
  remote: ['async', 'protocol'],
  rpc: ['errors', 'async', 'protocol', 'remote'],
  rows: ['async', 'protocol', 'graph', 'store'],
  ranks: ['graph', 'store', 'rows'],
  ingest: ['errors', 'async', 'protocol', 'graph', 'store', 'rows', 'ranks'],
  names: ['errors', 'async', 'protocol', 'contract', 'store', 'remote', 'rpc', 'rows'],
  badges: ['errors', 'async', 'protocol', 'contract', 'store', 'remote'],
  import: ['errors', 'async', 'protocol', 'store', 'rows', 'ingest', 'names', 'badges'],
  demo: ['async', 'protocol', 'store', 'ingest', 'ranks', 'names', 'badges'],
  indexer: ['errors', 'async', 'protocol', 'store', 'remote', 'rpc', 'rows', 'ingest', 'ranks', 'names'],
  lookup: ['async', 'protocol', 'contract', 'graph', 'store', 'remote', 'names', 'badges'],
  live: ['async', 'protocol', 'contract', 'graph', 'store', 'names'],
  mcp: [],
  http: ['errors', 'async', 'protocol', 'contract', 'store', 'remote', 'lookup', 'live', 'mcp'],
  config: ['errors', 'protocol', 'store', 'remote', 'rpc', 'names', 'indexer', 'live', 'http'],
  commands: '*',
};

const folders = Object.entries(MAY_IMPORT).filter(([, allowed]) => allowed !== '*');
for (const [index, [folder, allowed]] of folders.entries()) {
  const above = folders.slice(0, index).map(([name]) => name);
  const below = allowed.filter((name) => !above.includes(name));
  if (below.length > 0)
    throw new Error(`${folder} may not import ${below.join(', ')}: it has to stand above ${folder}`);
}

/** Folders without I/O: the same input gives the same output. */
const PURE = ['errors', 'protocol', 'graph'];

export default {
  forbidden: [
    ...folders.map(([folder, allowed]) => ({
      name: `${folder}-imports`,
      comment: `src/${folder} may import ${[folder, ...allowed].join(', ')}`,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
    })),
    {
      name: 'pure-folders',
      comment: `${PURE.join(' and ')} do no I/O`,
      severity: 'error',
      from: { path: `^src/(${PURE.join('|')})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      comment: 'files do not import each other in a circle, not even types',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'client-alone',
      comment: 'packages/client runs in browsers and depends on no package',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { pathNot: '^packages/client/' },
    },
    {
      name: 'known-folders',
      comment: 'every folder has a line in MAY_IMPORT, and src/ holds folders and main.ts only',
      severity: 'error',
      from: {},
      to: { path: '^src/', pathNot: `^src/(main\\.ts$|(${Object.keys(MAY_IMPORT).join('|')})/)` },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
  },
};
