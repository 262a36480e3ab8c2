import type { Reader } from '../store/store.ts';

/** Commits are at most a few per second, so a second attempt nearly always succeeds. */
const MAX_ATTEMPTS = 5;

/** Runs a read of several statements again if a commit has changed a response meanwhile. */
export type ConsistentRead = <T>(read: () => Promise<T>) => Promise<T>;

export function createConsistentRead(reader: Reader): ConsistentRead {
  const version = reader.prepareColumn<object, number>((db) =>
    db.selectFrom('state').select('value').where('key', '=', 'data_version'),
  );
  return async (read) => {
    for (let attempt = 1; ; attempt += 1) {
      const [before] = await version({});
      const result = await read();
      const [after] = await version({});
      if (before === after || attempt === MAX_ATTEMPTS) return result;
    }
  };
}
