import { readFile, rename, writeFile } from 'node:fs/promises';

/** The id in a file; undefined if there is no file yet. */
export async function readPosition(file) {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file at once: whoever reads it finds the former or the new id, also after a crash. */
export async function writePosition(file, id) {
  await writeFile(`${file}.new`, id, { flush: true });
  await rename(`${file}.new`, file);
}
