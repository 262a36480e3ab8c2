import dns from 'node:dns';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import { StoreUnavailableError } from '../../src/store/store.ts';
import { waitFor } from '../support/wait-for.ts';

const open = (host: string) =>
  openStore(
    { engine: 'postgres', url: `postgres://kith:open-sesame@${host}/kith`, poolSize: 1 },
    { onError: () => undefined },
  );

describe('opening a store on a PostgreSQL server that cannot be reached', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('rejects with a StoreUnavailableError if the connection is refused', async () => {
    await expect(open('127.0.0.1:1')).rejects.toThrow(StoreUnavailableError);
  });

  it('rejects with a StoreUnavailableError if the server closes the connection', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
    });
    await waitFor(() => expect(server.listening).toBe(true));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    await expect(open(`127.0.0.1:${port}`)).rejects.toThrow(StoreUnavailableError);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])(
    'rejects with a StoreUnavailableError if the host name cannot be resolved (%s)',
    async (code) => {
      vi.spyOn(dns, 'lookup').mockImplementation(((_name: string, _options: unknown, done: (error: Error) => void) => {
        done(Object.assign(new Error(`getaddrinfo ${code} db.example`), { code, syscall: 'getaddrinfo' }));
        // Safe: sockets call the overload with options.
      }) as unknown as typeof dns.lookup);
      await expect(open('db.example')).rejects.toThrow(StoreUnavailableError);
    },
  );

  it('does not reveal the password in the error', async () => {
    const error: Error = await open('127.0.0.1:1').then(
      () => expect.unreachable(),
      (reason) => reason,
    );
    expect(`${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('open-sesame');
  });
});
