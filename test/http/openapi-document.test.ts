import { describe, expect, it } from 'vitest';
import { nameComponents } from '../../src/http/openapi/document.ts';

const POINT = { type: 'object', properties: { x: { type: 'number' } } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

describe('nameComponents', () => {
  it('moves schemas with a title to components, nested ones too, and refers to them', () => {
    const line = { title: 'Line', type: 'array', items: { title: 'Point', ...POINT } };
    const { paths, components } = nameComponents({
      paths: { a: line, b: { title: 'Point', ...POINT } },
      components: {},
    });
    expect(paths).toEqual({ a: ref('Line'), b: ref('Point') });
    expect(components).toMatchObject({ schemas: { Line: { type: 'array', items: ref('Point') }, Point: POINT } });
  });

  it('keeps a property that is called title', () => {
    const paths = { a: { type: 'object', properties: { title: { type: 'string' } } } };
    expect(nameComponents({ paths }).paths).toEqual(paths);
  });

  it('rejects two different schemas with the same title', () => {
    const paths = { a: { title: 'Point', ...POINT }, b: { title: 'Point', type: 'string' } };
    expect(() => nameComponents({ paths })).toThrow('two schemas are called Point');
  });

  it('moves headers and responses other than 200 to components, and refers to them', () => {
    const header = { schema: { type: 'string' } };
    const responses = { 200: { headers: { ETag: header } }, 404: { description: 'no such list' } };
    const { paths, components } = nameComponents({ paths: { a: { responses } }, components: {} });
    expect(paths).toEqual({
      a: {
        responses: {
          200: { headers: { ETag: { $ref: '#/components/headers/ETag' } } },
          404: { $ref: '#/components/responses/NotFound' },
        },
      },
    });
    expect(components).toMatchObject({ headers: { ETag: header }, responses: { NotFound: responses[404] } });
  });

  it('leaves examples as they are', () => {
    const paths = { a: { example: { title: 'Unknown list' }, examples: { one: { value: { title: 'Overloaded' } } } } };
    expect(nameComponents({ paths }).paths).toEqual(paths);
  });
});
