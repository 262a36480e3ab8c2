import pg from 'pg';
import { CONNECTIONS } from './measure.ts';

/** Runs a prepared `select 1` at full load: the baseline for PostgreSQL. */
const [url, max] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(max) });

process.on('message', async ({ ms }: { ms: number }) => {
  const began = performance.now();
  let done = 0;
  const keepBusy = async () => {
    while (performance.now() - began < ms) {
      await pool.query({ name: 'baseline', text: 'select 1' });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, keepBusy));
  process.send?.((done / (performance.now() - began)) * 1000);
});
