import { decodeHeader } from './header-value.ts';

/** A tool as `tools/list` describes it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 of the arguments, and of `structuredContent`. */
  readonly inputSchema: object;
  readonly outputSchema: object;
  /** Programs need not ask a person before they call a tool that only reads. */
  readonly annotations: { readonly readOnlyHint: true };
}

/** The result of a tool: an object of its output schema, or a text that says what was wrong and what to do. */
export type ToolResult = { readonly content: object } | { readonly error: string };

export type CallTool = (name: string, given: Readonly<Record<string, unknown>>) => Promise<ToolResult>;

/** The headers of a request. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the HTTP response to a message is. A notification has no body. */
export interface Reply {
  readonly status: number;
  readonly body: object | null;
}

export interface McpServerOptions {
  readonly version: string;
  /** For the model: how the tools belong together. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** Each request says its version. There is no handshake. */
const STATELESS_VERSION = '2026-07-28';
/** These begin with `initialize`, which this server does not have to remember: the tools are the same for all. */
const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const META = 'io.modelcontextprotocol';
/** The key of `_meta` at which a request says its version. */
export const META_KEY = `${META}/protocolVersion`;
/** What a client may keep: tools change with the version of the program only. */
const CACHEABLE = { ttlMs: 3_600_000, cacheScope: 'public' };

/** Error codes of JSON-RPC 2.0, and of MCP. */
const CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

class RpcError extends Error {
  override name = 'RpcError';
  readonly code: keyof typeof CODES;
  readonly status: number;
  readonly data: object | undefined;

  constructor(code: keyof typeof CODES, message: string, status: number, data?: object) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

type Id = string | number;
type Params = Readonly<Record<string, unknown>>;

interface Request {
  readonly method: string;
  readonly params: Params;
}

/** An error that belongs to no request that could be read. */
export function errorReply(code: keyof typeof CODES, message: string, status = 400): Reply {
  return replyOf(new RpcError(code, message, status), {});
}

function replyOf({ code, message, status, data }: RpcError, id: { readonly id?: Id }): Reply {
  const error = { code: CODES[code], message, ...(data === undefined ? {} : { data }) };
  return { status, body: { jsonrpc: '2.0', ...id, error } };
}

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A Model Context Protocol server that has tools only and keeps no state, so any process can answer any request. It
 * serves the stateless version of the protocol, and the versions before it that begin with a handshake.
 */
export function createMcpServer({ version, instructions, tools }: McpServerOptions) {
  const serverInfo = { name: 'kith', title: 'Kith', version };
  const capabilities = { tools: {} };
  const names = tools.map(({ name }) => name);

  function initialize({ protocolVersion }: Params): object {
    const isKnown = HANDSHAKE_VERSIONS.some((known) => known === protocolVersion);
    // The client disconnects if it cannot speak the one that is offered.
    return {
      protocolVersion: isKnown ? protocolVersion : HANDSHAKE_VERSIONS[0],
      ...{ capabilities, serverInfo, instructions },
    };
  }

  function listTools({ cursor }: Params): object {
    if (cursor !== undefined) throw new RpcError('invalidParams', 'cursor: all tools are on one page', 200);
    return { tools };
  }

  async function callTool({ name, arguments: given = {} }: Params, call: CallTool): Promise<object> {
    if (typeof name !== 'string' || !names.includes(name))
      throw new RpcError('invalidParams', `unknown tool; the tools are ${names.join(', ')}`, 200);
    if (!isObject(given)) throw new RpcError('invalidParams', 'arguments must be an object', 200);
    const result = await call(name, given);
    if ('error' in result) return { content: [{ type: 'text', text: result.error }], isError: true };
    // The text is for clients that do not read structured content.
    const text = JSON.stringify(result.content);
    return { content: [{ type: 'text', text }], structuredContent: result.content };
  }

  async function answerStateless({ method, params }: Request, call: CallTool): Promise<object> {
    const complete = { resultType: 'complete', _meta: { [`${META}/serverInfo`]: serverInfo } };
    switch (method) {
      case 'server/discover':
        return { ...complete, supportedVersions: [STATELESS_VERSION], capabilities, instructions, ...CACHEABLE };
      case 'tools/list':
        return { ...complete, ...listTools(params), ...CACHEABLE };
      case 'tools/call':
        return { ...complete, ...(await callTool(params, call)) };
      default:
        throw unknownMethod(method, 404);
    }
  }

  async function answerAfterHandshake({ method, params }: Request, call: CallTool): Promise<object> {
    switch (method) {
      case 'initialize':
        return initialize(params);
      case 'ping':
        return {};
      case 'tools/list':
        return listTools(params);
      case 'tools/call':
        return callTool(params, call);
      default:
        throw unknownMethod(method, 200);
    }
  }

  async function answer(message: Params, headers: Headers, call: CallTool): Promise<object> {
    const { method, params = {} } = message;
    if (typeof method !== 'string') throw new RpcError('invalidRequest', 'method must be a string', 400);
    if (!isObject(params)) throw new RpcError('invalidParams', 'params must be an object', 400);
    const request = { method, params };
    return isStateless(request, headers) ? answerStateless(request, call) : answerAfterHandshake(request, call);
  }

  return {
    /** Answers one message of a client. */
    async handle(message: unknown, headers: Headers, call: CallTool): Promise<Reply> {
      if (Array.isArray(message)) return errorReply('invalidRequest', 'batches are not supported: send one message');
      if (!isObject(message) || message.jsonrpc !== '2.0')
        return errorReply('invalidRequest', 'the message must be a JSON-RPC 2.0 object');
      const { id, method } = message;
      // A notification. None of them means anything to a server without state.
      if (id === undefined && typeof method === 'string') return { status: 202, body: null };
      if (typeof id !== 'string' && !Number.isSafeInteger(id))
        return errorReply('invalidRequest', 'id must be a string or an integer');
      // Safe: it is one of these.
      const known = { id: id as Id };
      try {
        return { status: 200, body: { jsonrpc: '2.0', ...known, result: await answer(message, headers, call) } };
      } catch (error) {
        if (error instanceof RpcError) return replyOf(error, known);
        throw error;
      }
    },
  };
}

const MAX_SHOWN = 100;

function unknownMethod(method: string, status: number): RpcError {
  return new RpcError('methodNotFound', `unknown method ${JSON.stringify(method.slice(0, MAX_SHOWN))}`, status);
}

/** Whether a request is of the stateless version. Throws an `RpcError` if it is of no version, or its headers differ. */
function isStateless({ method, params }: Request, headers: Headers): boolean {
  const meta = isObject(params._meta) ? params._meta : {};
  const stated = meta[META_KEY];
  const inHeader = headers['mcp-protocol-version'];
  const isOld = inHeader === undefined || HANDSHAKE_VERSIONS.some((known) => known === inHeader);
  if (stated === undefined && isOld) return false;
  if (inHeader === STATELESS_VERSION && stated === undefined)
    throw new RpcError('invalidParams', `_meta must have ${META_KEY}`, 400);
  if (stated !== undefined) requireEqual('MCP-Protocol-Version', inHeader, stated);
  if (inHeader !== STATELESS_VERSION) {
    const data = { supported: [STATELESS_VERSION], requested: inHeader };
    throw new RpcError('unsupportedVersion', 'unsupported protocol version', 400, data);
  }
  if (!isObject(meta[`${META}/clientCapabilities`]))
    throw new RpcError('invalidParams', `_meta must have ${META}/clientCapabilities`, 400);
  requireEqual('Mcp-Method', headers['mcp-method'], method);
  if (method === 'tools/call') requireEqual('Mcp-Name', decodeHeader(headers['mcp-name']), params.name);
  return true;
}

/** Proxies may have routed the request by its headers. */
function requireEqual(header: string, value: unknown, inBody: unknown): void {
  if (value !== undefined && value === inBody) return;
  const problem = value === undefined ? 'is missing' : 'does not match the body';
  throw new RpcError('headerMismatch', `the header ${header} ${problem}`, 400);
}
