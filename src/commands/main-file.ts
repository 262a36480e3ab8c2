import { fileURLToPath } from 'node:url';

/** The compiled entry file, for child processes. */
export const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
