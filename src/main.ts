import cluster from 'node:cluster';
import { runCommandLine } from './commands/command-line.ts';

process.exitCode = await runCommandLine(process.argv.slice(2), {
  // The one place that looks at the environment.
  env: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
  onShutdown,
});
if (cluster.isWorker) process.disconnect();

function onShutdown(): AbortSignal {
  const ending = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ending.abort());
  // A child whose parent is gone ends too; until then the line to the parent keeps nobody alive.
  process.once('disconnect', () => ending.abort());
  // One that shares a port with others gets its connections by that line, and hangs up when it has ended.
  if (!cluster.isWorker) process.channel?.unref();
  return ending.signal;
}
