import { EventsPage, ProgressEvent, StreamEvent } from '../../contract/event-schemas.ts';
import { EVENT_STREAM, NDJSON } from '../../live/formats.ts';
import { GET_PARAMETERS, POST_PARAMETERS } from '../events/parameters.ts';
import { MAX_BODY_ACCOUNTS } from '../events/parse-request.ts';
import { objectSchemaOf, PAGE_HEADERS, problemResponses } from './operation-schema.ts';

const DESCRIPTION = `What the logs of the protocol do, as they are stored, without polling. \`Accept\` decides the format: \`text/event-stream\` for server-sent events, also the default, \`application/x-ndjson\` for a line per event, \`application/json\` for a page of stored events. Each event has an \`id\`, from which a stream goes on after any interruption. After an \`undo\`, all events of its chain above its block are void, because a reorg has removed them; what replaces them follows.`;

/** The Fastify schema of the event streams, for the OpenAPI document. */
export function eventsSchema(method: 'GET' | 'POST'): object {
  const isPost = method === 'POST';
  const stream = {
    type: 'string',
    description: 'Server-sent events: the type is that of the event, the data is its JSON. Progress has an id only.',
  };
  return {
    operationId: isPost ? 'postEvents' : 'getEvents',
    tags: ['events'],
    summary: isPost ? 'Events of many accounts' : 'Events, as a stream or in pages',
    description: isPost ? `The same as a GET, for a filter that no URL holds. ${DESCRIPTION}` : DESCRIPTION,
    querystring: objectSchemaOf(isPost ? POST_PARAMETERS : GET_PARAMETERS),
    ...(isPost
      ? {
          body: {
            title: 'EventAccounts',
            description: 'The accounts of the filter.',
            type: 'object',
            examples: [{ accounts: ['0xd8da6bf26964af9d7eed9e03e53415d37aa96045'] }],
            required: ['accounts'],
            additionalProperties: false,
            properties: {
              accounts: {
                description: 'Addresses, in any letter case.',
                type: 'array',
                minItems: 1,
                maxItems: MAX_BODY_ACCOUNTS,
                items: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
              },
            },
          },
        }
      : {
          headers: {
            type: 'object',
            properties: {
              'Last-Event-ID': {
                type: 'string',
                description: 'The same as `since`. A browser sends it when it connects again.',
              },
            },
          },
        }),
    response: {
      200: {
        description: 'A stream of events, or a page.',
        headers: PAGE_HEADERS,
        content: {
          [EVENT_STREAM.mediaType]: { schema: stream },
          [NDJSON.mediaType]: { schema: { anyOf: [StreamEvent, ProgressEvent], description: 'A line.' } },
          'application/json': { schema: EventsPage },
        },
      },
      ...problemResponses([400, 404, 409, ...(isPost ? ([413, 415] as const) : []), 429, 500, 503]),
    },
  };
}
