import { createServer } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/**
 * Preloaded into a process: measures the most CPU time that its main thread uses in one turn of the event loop. Unlike
 * the delay of the event loop, it does not grow when other processes use the processor. A connection to the socket gets
 * the milliseconds since the last one.
 */
const path = process.env.TURN_PROBE;
if (isMainThread && path !== undefined) {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  let [longest, before] = [0, used()];
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - before);
    before = now;
    // Due at the start of each turn that follows one of at least a millisecond.
    setTimeout(look, 1).unref();
  };
  look();
  const server = createServer((socket) => {
    socket.end(String(longest));
    longest = 0;
  });
  server.listen(path).unref();
}
