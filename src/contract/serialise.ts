import type { Static, TObject } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import { Collection, StoredEns } from './schemas.ts';

function serialiser<S extends TObject>(schema: S): (value: Static<S>) => string {
  // Safe: a TypeBox schema is a JSON schema.
  return fastJson(schema as object as fastJson.Schema);
}

/** What sources return is stored as JSON. */
export const serialiseEns = serialiser(StoredEns);
export const serialiseCollection = serialiser(Collection);
