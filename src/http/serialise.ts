import { type Static, type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import type { FastifyReply, FastifySerializerCompiler } from 'fastify';

type Serialiser = ReturnType<FastifySerializerCompiler<object>>;
const serialisers = new WeakMap<object, Serialiser>();

/**
 * Compiles a schema on its first use, once for all routes: each documents a dozen responses, most of which are never
 * sent. Compiling them all takes half of the CPU time in which an app is built.
 */
export const compileSerialiser: FastifySerializerCompiler<object> = ({ schema }) => {
  return (value) => {
    let serialiser = serialisers.get(schema);
    if (serialiser === undefined) {
      serialiser = fastJson(schema);
      serialisers.set(schema, serialiser);
    }
    return serialiser(value);
  };
};

/** Serialises a value with its schema. */
export function serialise<S extends TSchema>(reply: FastifyReply, value: Static<S>, schema: S): string {
  // Safe: the declared types of Fastify admit objects only, but a schema may be of any JSON value.
  return reply.serializeInput(value as Record<string, unknown>, schema as object as Record<string, unknown>);
}

/** Serialises a value of any length, piece by piece: each piece has all properties, with some of the items of each array. */
export function serialisePieces<S extends TSchema>(
  reply: FastifyReply,
  pieces: AsyncIterable<Static<S>>,
  schema: S,
): AsyncGenerator<string> {
  const toText = (value: unknown, part: TSchema) => serialise(reply, value, part);
  // Safe: these are pieces of what the schema describes.
  return TypeGuard.IsObject(schema)
    ? objectPieces(pieces as AsyncIterable<Record<string, unknown>>, schema, toText)
    : arrayPieces(pieces as AsyncIterable<unknown[]>, schema, toText);
}

type ToText = (value: unknown, schema: TSchema) => string;

const itemsOf = (array: unknown[], schema: TSchema, toText: ToText) => toText(array, schema).slice(1, -1);

async function* arrayPieces(pieces: AsyncIterable<unknown[]>, schema: TSchema, toText: ToText) {
  let start = '[';
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    yield start + itemsOf(piece, schema, toText);
    start = ',';
  }
  yield start === '[' ? '[]' : ']';
}

/** Items of an array that come after items of a later property would be an error of the lookup. */
async function* objectPieces(pieces: AsyncIterable<Record<string, unknown>>, { properties }: TObject, toText: ToText) {
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
      text += isOpen ? '[' : toText(piece[name], schema);
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
      text += (hasItems ? ',' : '') + itemsOf(items, schema, toText);
      hasItems = true;
    }
    yield text;
    text = '';
  }
  writeTo(names.length, last);
  close();
  yield `${text}}`;
}
