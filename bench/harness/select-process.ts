import pg from 'pg';
import { CONNECTIONS } from './measure.ts';

/** The least that a question to PostgreSQL can be, as often as it goes. */
const [url, max] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(max) });

process.on('message', async ({ ms }: { ms: number }) => {
  const began = performance.now();
  let done = 0;
  const keepBusy = async () => {
    while (performance.now() - began < ms) {
      await pool.query({ name: 'least', text: 'select 1' });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepBusy));
  process.send?.((done / (performance.now() - began)) * 1000);
});
