import cluster from 'node:cluster';
import { runCommandLine } from './commands/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  // The only access to process.env.
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  onShutdown,
});
if (cluster.isWorker) process.disconnect();

function onShutdown(): AbortSignal {
  const shutdown = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => shutdown.abort());
  // Stop when the parent process dies.
  process.once('disconnect', () => shutdown.abort());
  // Do not let the IPC channel keep the process alive. Cluster workers receive their sockets over it and disconnect at the end.
  if (!cluster.isWorker) process.channel?.unref();
  return shutdown.signal;
}
