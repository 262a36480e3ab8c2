import { builtUrl, follow, type Outcome } from '../commands/run-kith.ts';
import type { TestDatabase } from '../support/engines.ts';

const built = (file: string) => JSON.stringify(builtUrl(file));

/**
 * Runs `work`, the source text of a function of `store`, in several processes that open the database at the same time.
 * Within one process, a writer that waits for the lock would block the event loop of the writer that holds it.
 */
export async function runProcesses(database: TestDatabase, processes: number, work: string): Promise<Outcome[]> {
  const program = `
    import { once } from 'node:events';
    import { readConfig } from ${built('config/config.js')};
    import { openStore } from ${built('store/open-store.js')};
    const { database } = readConfig(process.env);
    console.log('ready');
    await once(process.stdin, 'data');
    const store = await openStore(database, { onError: (error) => { throw error; } });
    await (${work})(store);
    await store.close();
    process.stdin.destroy();
  `;
  const running = Array.from({ length: processes }, () =>
    follow(process.execPath, ['--input-type=module', '--eval', program], { env: { DATABASE_URL: database.url } }),
  );
  await Promise.all(running.map(({ untilSaid }) => untilSaid(/ready/)));
  for (const { child } of running) child.stdin.write('go\n');
  return Promise.all(running.map(({ outcome }) => outcome));
}
