let last: Promise<void> = Promise.resolve();

/** Resolves for one caller per turn of the event loop, so that other requests are answered between pieces of work. */
export function turnOfOwn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => void setImmediate(resolve)));
  return last;
}
