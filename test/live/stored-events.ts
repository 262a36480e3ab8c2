import type { Service } from '../support/service.ts';
import type { Item } from './event-client.ts';

/** What of an event never changes. */
export function lasting({ id, account, name, avatar, list, is_primary, ...event }: Item): Item {
  return ['mint', 'transfer', 'burn', 'location', 'primary'].includes(event.type) ? { ...event, account, list } : event;
}

export const byPlace = (a: Item, b: Item) => a.chain_id - b.chain_id || a.block - b.block || a.log_index - b.log_index;

/** The events of all stored logs, from a page after another. */
export async function storedEvents(service: Service): Promise<unknown[]> {
  const found: Item[] = [];
  for (let path: string | null = '/events?since=0&lists=all&limit=70'; path !== null; ) {
    const { json, headers }: Awaited<ReturnType<Service['get']>> = await service.get(path, {
      headers: { accept: 'application/json' },
    });
    found.push(...json.events);
    const next = /^<(.*)>/.exec(headers.get('link') ?? '')?.[1];
    path = next === undefined ? null : `/events${next}`;
  }
  return found.map(lasting).sort(byPlace);
}
