import { describe, expect, it } from 'vitest';
import { nameSchemas } from '../../src/http/name-schemas.ts';

const POINT = { type: 'object', properties: { x: { type: 'number' } } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('nameSchemas', () => {
  it('moves schemas with a title to components, nested ones too, and refers to them', () => {
    const line = { title: 'Line', type: 'array', items: { title: 'Point', ...POINT } };
    const { paths, components } = nameSchemas({ paths: { a: line, b: { title: 'Point', ...POINT } }, components: {} });
    expect(paths).toEqual({ a: ref('Line'), b: ref('Point') });
    expect(components).toEqual({ schemas: { Line: { type: 'array', items: ref('Point') }, Point: POINT } });
  });

  it('keeps a property that is called title', () => {
    const paths = { a: { type: 'object', properties: { title: { type: 'string' } } } };
    expect(nameSchemas({ paths }).paths).toEqual(paths);
  });

  it('rejects two different schemas with the same title', () => {
    const paths = { a: { title: 'Point', ...POINT }, b: { title: 'Point', type: 'string' } };
    expect(() => nameSchemas({ paths })).toThrow('two schemas are called Point');
  });
});
