import type { PageBody } from '../../src/lookup/page.ts';

/** The body with all entries of a page. */
export const wholeOf = <B>(body: PageBody<B>): B => body.part(0, body.length);
