/** Preloaded into a command: sends its CPU time, that of its threads included, and its peak memory when it ends. */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  // The channel must not keep the process alive.
  process.channel?.unref();
  process.once('exit', () => {
    const { user, system } = process.cpuUsage();
    const peakMegabytes = (process.resourceUsage().maxRSS * 1024) / 1e6;
    process.send?.({ cpuSeconds: (user + system) / 1e6, peakMegabytes });
  });
}
