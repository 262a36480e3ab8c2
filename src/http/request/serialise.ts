import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { SPLICE, SPLICED } from '../../contract/schemas.ts';
import type { Cut, PageBody } from '../../lookup/page.ts';

type Serialiser = ReturnType<FastifySerializerCompiler<object>>;
const serialisers = new WeakMap<object, Serialiser>();

/** Serialises a value with its schema. */
export function serialise<S extends TSchema>(value: Static<S>, schema: S): string {
  let serialiser = serialisers.get(schema);
  if (serialiser === undefined) {
    serialiser = compile(schema);
    serialisers.set(schema, serialiser);
  }
  return serialiser(value);
}

/**
 * Compiles a schema on its first use, once for all routes: each documents a dozen responses, most of which are never
 * sent. Compiling them all takes half of the CPU time in which an app is built.
 */
export const compileSerialiser: FastifySerializerCompiler<object> = ({ schema }) => {
  // Safe: Fastify hands over the schemas of routes.
  return (value) => serialise(value, schema as TSchema);
};

/** Writes what needs no escaping as it is: texts with a pattern, which are digits, and JSON. */
function compile(schema: object): Serialiser {
  let hasSpliced = false;
  const written = JSON.stringify(schema, (_name, part) => {
    const isSpliced = part?.[SPLICED] === true;
    hasSpliced ||= isSpliced;
    return isSpliced || (part?.type === 'string' && part.pattern) ? { type: 'string', format: 'unsafe' } : part;
  });
  const serialiser: Serialiser = fastJson(JSON.parse(written), { ajv: { formats: { unsafe: true } } });
  if (!hasSpliced) return serialiser;
  return (value) => serialiser(value).replaceAll(`"${SPLICE}`, '').replaceAll(`${SPLICE}"`, '');
}

/** Writes the value of a lookup in one format. */
export interface BodyWriter {
  write(value: unknown): string;
  /** A value of any length: each piece has all properties, with some of the items of each array. */
  writePieces(pieces: AsyncIterable<unknown>): AsyncGenerator<string>;
}

export function jsonWriter(schema: TSchema): BodyWriter {
  return {
    write: (value) => serialise(value, schema),
    // Safe: these are pieces of what the schema describes.
    writePieces: (pieces) =>
      TypeGuard.IsObject(schema)
        ? objectPieces(pieces as AsyncIterable<Record<string, unknown>>, schema)
        : arrayPieces(pieces as AsyncIterable<unknown[]>, schema),
  };
}

/** Texts of this length take about a millisecond. */
const PIECE_LENGTH = 64 * 1024;

/** Writes a page, some entries at a time. */
export async function* writePage(body: PageBody<unknown>, writer: BodyWriter): AsyncGenerator<string> {
  let text = '';
  for await (const entry of writer.writePieces(entriesOf(body))) {
    text += entry;
    if (text.length < PIECE_LENGTH) continue;
    yield text;
    text = '';
  }
  yield text;
}

/** A page without entries is one piece. */
async function* entriesOf<B>({ length, part }: PageBody<B>): AsyncGenerator<B> {
  for (let i = 0; i < Math.max(1, length); i++) yield part(i, Math.min(i + 1, length));
}

const itemsOf = (array: unknown[], schema: TSchema) => serialise(array, schema).slice(1, -1);

/**
 * The same without what stands around the array of an item that another piece begins or ends. No text before or after
 * that array has a bracket.
 */
function cutItemsOf(items: unknown[], { cut }: Partial<Cut>, schema: TSchema): string {
  const text = itemsOf(items, schema);
  return text.slice(cut?.start ? text.indexOf('[') + 1 : 0, cut?.end ? text.lastIndexOf(']') : undefined);
}

async function* arrayPieces(pieces: AsyncIterable<unknown[]>, schema: TSchema) {
  let start = '[';
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    yield start + itemsOf(piece, schema);
    start = ',';
  }
  yield start === '[' ? '[]' : ']';
}

/** Items of an array that come after items of a later property would be an error of the lookup. */
async function* objectPieces(pieces: AsyncIterable<Record<string, unknown>>, { properties }: TObject) {
  const names = Object.entries(properties);
  let written = 0;
  let text = '{';
  /** Whether the last property that was written is an array that more items may follow. */
  let isOpen = false;
  let hasItems = false;
  const close = () => {
    if (isOpen) text += ']';
    isOpen = false;
  };
  /** Writes the properties before `end`. */
  const writeTo = (end: number, piece: Record<string, unknown>) => {
    for (; written < end; written++) {
      const [name, schema] = names[written] as (typeof names)[number];
      close();
      text += `${written === 0 ? '' : ','}${JSON.stringify(name)}:`;
      isOpen = TypeGuard.IsArray(schema);
      hasItems = false;
      text += isOpen ? '[' : serialise(piece[name], schema);
    }
  };
  let last: Record<string, unknown> = {};
  for await (const piece of pieces) {
    last = piece;
    for (const [index, [name, schema]] of names.entries()) {
      const items = piece[name];
      if (!Array.isArray(items) || items.length === 0) continue;
      if (index + 1 < written) throw new Error(`items of ${name} came after those of a later property`);
      writeTo(index + 1, piece);
      text += (hasItems ? ',' : '') + cutItemsOf(items, piece, schema);
      hasItems = true;
    }
    yield text;
    text = '';
  }
  writeTo(names.length, last);
  close();
  yield `${text}}`;
}
