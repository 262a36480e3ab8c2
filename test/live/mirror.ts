import { type Item, type OpenStream, openStream } from './event-client.ts';
import { byPlace, lasting } from './stored-events.ts';

/** A client that applies what streams send, hangs up and resumes. */
export class Mirror {
  readonly #events = new Map<string, Item>();
  #stream: OpenStream | null = null;
  #taken = 0;
  #id = '0';
  /** How many events have arrived that it had already, without an undo in between. */
  repeated = 0;
  undone = 0;

  async connect(url: string, format: 'sse' | 'ndjson'): Promise<void> {
    this.hangUp();
    const headers: Record<string, string> = format === 'sse' ? { 'last-event-id': this.#id } : {};
    const query = { lists: 'all', ...(format === 'sse' ? {} : { since: this.#id }) };
    this.#stream = await openStream(url, { query, format, headers });
    this.#taken = 0;
  }

  get isConnected(): boolean {
    return this.#stream !== null;
  }

  hangUp(): void {
    this.take();
    this.#stream?.close();
    this.#stream = null;
  }

  take(): void {
    for (const item of this.#stream?.items.slice(this.#taken) ?? []) {
      this.#taken += 1;
      if (item.id !== undefined) this.#id = item.id;
      if (item.type === 'undo') {
        this.undone += 1;
        for (const [key, { chain_id, block }] of this.#events)
          if (chain_id === item.chain_id && block > item.block) this.#events.delete(key);
      } else if (item.type !== 'progress') {
        const key = `${item.chain_id} ${item.block_hash} ${item.log_index}`;
        if (this.#events.has(key)) this.repeated += 1;
        this.#events.set(key, item);
      }
    }
  }

  events(): unknown[] {
    this.take();
    return [...this.#events.values()].map(lasting).sort(byPlace);
  }
}
