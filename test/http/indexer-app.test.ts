import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { buildIndexerApp } from '../../src/http/operations/indexer-app.ts';
import { CorruptDatabaseError, StoreOverloadedError, StoreUnavailableError } from '../../src/store/store.ts';
import { PROBLEM_TYPE } from './support.ts';

describe('the endpoints of an indexing process', () => {
  let failure: Error;
  let log: { level: number; url: string; err: { message: string } }[];
  let app: ReturnType<typeof buildIndexerApp>;
  beforeEach(() => {
    log = [];
    const fail = async () => {
      throw failure;
    };
    app = buildIndexerApp({
      engine: 'sqlite',
      lookups: { status: fail, databaseFault: async () => null, measurements: fail },
      logger: pino({ base: null }, { write: (line) => log.push(JSON.parse(line)) }),
      now: () => 0,
      isActive: () => true,
    });
  });
  afterEach(() => app.close());

  it.each(['/ready', '/status', '/metrics'])('log an unexpected error of %s and return 500', async (url) => {
    failure = new TypeError('a defect');
    expect(await app.inject(url)).toMatchObject({ statusCode: 500 });
    expect(log).toMatchObject([{ level: 50, url, err: { message: 'a defect' } }]);
  });

  it.each([
    new StoreUnavailableError('it is down'),
    new StoreOverloadedError('too many queries'),
    new CorruptDatabaseError('page 3'),
  ])('return the metrics of the process while the database fails with %s', async (error) => {
    failure = error;
    const { statusCode, body } = await app.inject('/metrics');
    expect(statusCode).toBe(200);
    expect(body).toMatch(/^kith_indexer_active 1$/m);
    expect(body).toMatch(/^kith_database_up 0$/m);
  });

  it('return a problem for an unknown path', async () => {
    const { statusCode, headers, body } = await app.inject('/nowhere');
    expect({ statusCode, type: headers['content-type'] }).toEqual({
      statusCode: 404,
      type: expect.stringMatching(PROBLEM_TYPE),
    });
    expect(JSON.parse(body)).toMatchObject({ code: 'unknown-path', detail: 'no route for /nowhere' });
  });
});
