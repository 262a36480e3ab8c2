import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostgresVersion } from '../../../src/store/postgres/version.ts';
import { engines } from '../../support/engines.ts';
import { numberOf } from '../../support/load.ts';
import { waitFor } from '../../support/wait-for.ts';
import { useOwnDatabase } from '../own-database.ts';
import { queryDatabase } from '../query-database.ts';

const SERVER = 'select extract(epoch from pg_postmaster_start_time())::text as server';

describe.each(engines.filter(({ name }) => name === 'postgres'))('the version of connections to $name', (engine) => {
  const own = useOwnDatabase({ create: engine.createOwn });

  const listen = async () => {
    const failures: Error[] = [];
    const outage = { fail: (error: Error) => void failures.push(error), answer: () => undefined, current: () => null };
    const version = createPostgresVersion({ url: own.database.url, outage });
    onTestFinished(() => version.close());
    await version.ready;
    return { version, failures };
  };

  it('is another one after a connection to another server, as during a failover, and no outage', async () => {
    const { version, failures } = await listen();
    const before = version.current();
    expect(numberOf(before)).toBe(0);
    version.uses('another server');
    expect(version.current()).toBeNull();
    await waitFor(() => expect(numberOf(version.current())).toBe(0));
    expect(version.current()).not.toBe(before);
    expect(failures).toEqual([]);
  });

  it('stays the same for connections to the server that it listens to', async () => {
    const { version } = await listen();
    const before = version.current();
    const [row] = (await queryDatabase(own.database, SERVER)) as { server: string }[];
    version.uses(row?.server);
    expect(version.current()).toBe(before);
  });

  it('is read again when a commit that it does not follow is announced', async () => {
    const { version } = await listen();
    await queryDatabase(own.database, "update state set value = 7 where key = 'data_version'");
    version.committed('data_version=7 version_graph=1');
    expect(numberOf(version.current())).toBe(7);
    version.committed('data_version=6 version_graph=2');
    expect(version.current()).toBeNull();
    await waitFor(() => expect(numberOf(version.current())).toBe(7));
  });
});
