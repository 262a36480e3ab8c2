import type { components, paths } from './generated/api.ts';

/** The types of answers and their entries by name: `Schemas['Follower']`. */
export type Schemas = components['schemas'];

/** Paths are relative to /api/v1, except for /status. */
type Relative<P> = P extends `/api/v1${infer Path}` ? Path : P;
type Operations<Method extends 'get' | 'post'> = {
  [P in keyof paths as Method extends keyof paths[P] ? Relative<P> : never]: Method extends keyof paths[P]
    ? paths[P][Method]
    : never;
};
type Gets = Operations<'get'>;
type Posts = Operations<'post'>;
type Operation<P> = P extends keyof Gets ? Gets[P] : P extends keyof Posts ? Posts[P] : never;

type Json<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type PathParams<O> = O extends { parameters: { path: infer Path } } ? Path : unknown;
type QueryParams<O> = O extends { parameters: { query?: infer Query } } ? NonNullable<Query> : unknown;
/** One object type, whose optional properties may also be undefined under `exactOptionalPropertyTypes`. */
type Merged<T> = { [K in keyof T]: undefined extends T[K] ? T[K] | undefined : T[K] };

type ParamsOf<O> = Merged<PathParams<O> & QueryParams<O>>;

/** The paths whose answers are JSON. */
export type GetPath = {
  [P in keyof Gets]: Gets[P] extends { responses: { 200: { content: { 'application/json': unknown } } } } ? P : never;
}[keyof Gets];
/** The paths of pictures, for the `src` of an image. */
export type PicturePath = Exclude<keyof Gets, GetPath>;
export type PostPath = keyof Posts;

/** The parameters of the path and of the query in one object. */
export type Params<P extends GetPath | PicturePath | PostPath> = ParamsOf<Operation<P>>;
/** The same of a path that may also have a GET with other parameters. */
export type PostParams<P extends PostPath> = ParamsOf<Posts[P]>;
export type Answer<P extends GetPath | PostPath> =
  Operation<P> extends { responses: { 200: infer Response } } ? Json<Response> : never;
export type RequestBody<P extends PostPath> = Posts[P] extends { requestBody: infer Body }
  ? Readonly<Json<Body>>
  : never;

/** The paths whose lookups have pages: those with an `offset`. */
export type PagedPath = { [P in GetPath]: 'offset' extends keyof Params<P> ? P : never }[GetPath];
export interface Page<P extends PagedPath> {
  readonly answer: Answer<P>;
  /** The `cursor` of the next page; undefined after the last one. */
  readonly next: string | undefined;
}
/** An entry of a page: an element of the answer, or of the only array in it. */
export type Entry<P extends PagedPath> =
  Answer<P> extends readonly (infer E)[] ? E : Extract<Answer<P>[keyof Answer<P>], readonly unknown[]>[number];

/** Parameters can be left out if none of them is required. */
export type Args<P extends GetPath | PicturePath, Rest extends unknown[] = []> =
  object extends Params<P> ? [params?: Params<P>, ...Rest] : [params: Params<P>, ...Rest];
