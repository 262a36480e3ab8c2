import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyEngine } from '../support/engines.ts';
import { fetchAnswer } from '../support/service.ts';
import { ServiceFixture } from './support.ts';

const RULES = {
  // Beyond those of `recommended-strict`.
  'array-parameter-serialization': 'error',
  'component-name-unique': 'error',
  'no-invalid-parameter-examples': 'error',
  'no-invalid-schema-examples': 'error',
  'no-required-schema-properties-undefined': 'error',
  'operation-4xx-problem-details-rfc7807': 'error',
  'operation-description': 'error',
  'operation-tag-defined': 'error',
  'parameter-description': 'error',
  'path-params-defined': 'error',
  // Probes and metrics have no parameters, so no request for them is wrong.
  'operation-4xx-response': 'off',
} as const;

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema & { readonly $ref?: string }>>;
}

describe.each(anyEngine)('the OpenAPI document', (engine) => {
  const fixture = new ServiceFixture(engine);
  let text: string;
  beforeAll(async () => {
    const { url } = await fixture.serve(await fixture.open());
    ({ text } = await fetchAnswer(`${url}/openapi.json`));
  });
  afterAll(() => fixture.close());

  const schemas = (): [string, Schema][] => Object.entries(JSON.parse(text).components.schemas);

  it('has no errors and no warnings of the linter', async () => {
    const config = await createConfig({ extends: ['recommended-strict'], rules: RULES });
    const problems = await lintFromString({ source: text, config });
    const found = problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer ?? '']);
    // A redirect has no 2xx response.
    const isRedirect = ([ruleId, , pointer = '']: string[]) =>
      ruleId === 'operation-2xx-response' && pointer.includes('~1ens~1avatar/');
    // No account is called `path`: a name has a dot.
    const isAccount = ([ruleId, , pointer = '']: string[]) =>
      ruleId === 'no-ambiguous-paths' && pointer.includes('{addressOrENS}~1path~1{addressOrENS2}');
    expect(found.filter((problem) => !isRedirect(problem) && !isAccount(problem))).toEqual([]);
  });

  it('describes every named schema and every field', () => {
    const fields = schemas().flatMap(([schema, { properties = {} }]) =>
      Object.entries(properties).map(([name, field]) => ({ name: `${schema}.${name}`, ...field })),
    );
    const undescribed = fields.filter(({ description, $ref }) => description === undefined && $ref === undefined);
    expect(undescribed.map(({ name }) => name)).toEqual([]);
    expect(schemas().filter(([, { description }]) => description === undefined)).toEqual([]);
  });

  it('has no object without a name inside of another schema', () => {
    // Maps of texts have no properties.
    const nested = schemas().filter(([, schema]) => JSON.stringify(schema).split('"properties":').length > 2);
    expect(nested.map(([name]) => name)).toEqual([]);
  });
});
