import { fileURLToPath } from 'node:url';

/** The folder of a clone, with a slash at its end. */
export const CLONE = fileURLToPath(new URL('../', import.meta.url));
