import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import examples from '../../src/http/generated/examples.json' with { type: 'json' };
import type { Service } from '../support/service.ts';
import { startDemoService } from './demo-service.ts';
import { EXAMPLES_TIME, readExamples } from './operation-examples.ts';

describe('examples in the OpenAPI document', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startDemoService(() => EXAMPLES_TIME);
  });
  afterAll(() => service.close());

  it('are the answers of the demo graph to every operation (npm run docs:examples writes them)', async () => {
    expect(examples).toEqual(await readExamples(service.url));
  });
});
