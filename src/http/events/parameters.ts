import { EVENT_TYPES, type EventType } from '../../contract/event-schemas.ts';
import { ROLES } from '../../live/filter.ts';
import { FINALITIES } from '../../live/read-logs.ts';
import { type AccountParameter, parseAccountParameter } from '../../lookup/refs/account-ref.ts';
import { normaliseTag } from '../../protocol/tag.ts';
import { limit, optional, type Parameter, type Values } from '../request/parameters.ts';

/** Accounts in a URL. */
const MAX_ACCOUNTS = 100;
/** A filter has a few. */
const MAX_TAGS = 100;
export const DEFAULT_LIMIT = 100;

/** Values separated by commas; null if the parameter is absent. None of them may be wrong. */
function listOf<T>(
  description: string,
  { max, ...one }: { readonly expected: string; readonly max: number; parse(text: string): T | undefined },
  schema: object = {},
): Parameter<readonly T[] | null> {
  return {
    schema: { type: 'string', description: `${description} Comma-separated, or given several times.`, ...schema },
    expected: `a comma-separated list of at most ${max}: each must be ${one.expected}`,
    parse(text) {
      const values = text.split(',').map((part) => one.parse(part.trim()));
      const known = values.filter((value) => value !== undefined);
      return known.length === values.length && values.length <= max ? known : undefined;
    },
    defaultValue: () => null,
    isRepeatable: true,
  };
}

const wordOf =
  <W extends string>(words: readonly W[]) =>
  (text: string): W | undefined =>
    words.find((known) => known === text.toLowerCase());

/** Unlike the words of lookups, none is read as absent: events that are left out by mistake are lost. */
function word<W extends string>(description: string, words: readonly W[], defaultValue: W): Parameter<W> {
  return {
    schema: { type: 'string', enum: words, default: defaultValue, description },
    expected: `one of ${words.join(', ')}`,
    parse: wordOf(words),
    defaultValue: () => defaultValue,
  };
}

const account = listOf<AccountParameter>(
  `Events that one of these accounts did, or that name it as target. At most ${MAX_ACCOUNTS} addresses or ENS names, which are resolved when the stream opens.`,
  {
    max: MAX_ACCOUNTS,
    expected: 'an address (0x and 40 hex digits) or an ENS name (with a dot, valid under ENSIP-15)',
    parse: (text) => parseAccountParameter(text) ?? undefined,
  },
  { examples: ['ada.eth'] },
);

/** The parameters of a GET and of a POST. */
const SHARED = {
  role: word('Whether an account of the filter did what is sent (`source`), is its `target`, or either.', ROLES, 'any'),
  type: listOf<EventType>(`Types of events: ${EVENT_TYPES.join(', ')}.`, {
    max: EVENT_TYPES.length,
    expected: `one of ${EVENT_TYPES.join(', ')}`,
    parse: wordOf(EVENT_TYPES),
  }),
  tag: listOf<string>('Tags of events of the types `tag` and `untag`. Events of other types are left out.', {
    max: MAX_TAGS,
    expected: 'a tag without NUL characters',
    parse: (text) => (text.includes('\0') ? undefined : normaliseTag(text) || undefined),
  }),
  lists: word(
    'List ops of lists that are valid primary lists when they are sent, or of `all` lists. A list may become one after its ops: then `user`, `location`, `primary`, `mint` and `burn` events pass a filter by target if a slot that they concern has a record of the target.',
    ['primary', 'all'],
    'primary',
  ),
  finality: word('`finalized`: only events of final blocks, which no reorg removes.', FINALITIES, 'latest'),
  since: optional<string>({
    schema: {
      type: 'string',
      description:
        'The `id` of an event or of a progress: what follows it is sent. `0`: from the first event. Absent: from now. The header `Last-Event-ID` takes precedence.',
      examples: ['0'],
    },
    expected: '0 or an id of an event',
    parse: (text) => text,
  }),
  until: optional<'now'>({
    schema: {
      type: 'string',
      enum: ['now'],
      description: '`now`: the stream ends when everything up to its start has been sent.',
    },
    expected: 'now',
    parse: wordOf(['now']),
  }),
  limit: optional<number>({
    ...limit(DEFAULT_LIMIT),
    schema: {
      ...limit(DEFAULT_LIMIT).schema,
      description: 'Number of events on a page of `application/json`. More than 1000 is read as 1000.',
    },
  }),
  last: optional<number>({
    ...limit(DEFAULT_LIMIT),
    schema: {
      type: 'integer',
      minimum: 1,
      description:
        'Of `application/json`: a page of so many of the newest events, the oldest of them first. Its `id` is that of now. More than 1000 is read as 1000.',
    },
  }),
  include: optional<'ens'>({
    schema: { type: 'string', enum: ['ens'], description: '`ens` adds the profile of the account to each event.' },
    expected: 'ens',
    parse: wordOf(['ens']),
  }),
};

export const GET_PARAMETERS = { account, ...SHARED };
/** The accounts of a POST are in its body. */
export const POST_PARAMETERS = SHARED;
export type EventValues = Values<typeof SHARED> & { readonly account?: Values<typeof GET_PARAMETERS>['account'] };
