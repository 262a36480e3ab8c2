import { type ChildProcess, spawn } from 'node:child_process';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ChildExit, type SuperviseOptions, supervise } from '../../src/commands/supervise.ts';
import { waitFor } from '../support/wait-for.ts';

/** Short, so that a hang is noticed soon, and long enough for a new process on a busy machine. */
const LIMITS = { checkMs: 50, missedHeartbeats: 60, missedAtStart: 1_200, stopMs: 500 };
const HEARTBEATS = `
  const beat = { type: 'kith:heartbeat' };
  setInterval(() => process.send(beat), 20);
  process.send(beat, () => console.log('ready'));
`;

/** Supervises processes that run `script`, and stops them after the test. */
function superviseScript(script: string, options: Partial<SuperviseOptions> = {}) {
  const children: ChildProcess[] = [];
  const ready: ChildProcess[] = [];
  const log: Record<string, unknown>[] = [];
  const supervised = supervise({
    start() {
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
      child.stdout?.once('data', () => ready.push(child));
      children.push(child);
      return child;
    },
    exitMessage: 'exited',
    logger: pino({}, { write: (line) => void log.push(JSON.parse(line)) }),
    limits: LIMITS,
    ...options,
  });
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await supervised.stop();
  });
  const untilReady = async (count: number) => {
    await waitFor(() => expect(ready.length).toBe(count));
    return ready[count - 1] as ChildProcess;
  };
  return { ...supervised, children, log, untilReady };
}

describe('a supervised process', () => {
  it('is killed and replaced if it is stopped and sends no heartbeats', async () => {
    const { untilReady, log } = superviseScript(HEARTBEATS);
    (await untilReady(1)).kill('SIGSTOP');
    await untilReady(2);
    expect(log).toMatchObject([
      { msg: 'exited', signal: 'SIGKILL', reason: expect.stringMatching(/^no heartbeat for \d+ s, killed$/) },
    ]);
  });

  it('is replaced if a message to it failed before its exit', async () => {
    const { untilReady, log } = superviseScript(HEARTBEATS);
    const child = await untilReady(1);
    child.emit('error', new Error('write EPIPE'));
    child.kill('SIGKILL');
    await untilReady(2);
    expect(log).toMatchObject([{ msg: 'exited', signal: 'SIGKILL' }]);
  });

  it('is killed and replaced if its event loop is blocked', async () => {
    const { untilReady } = superviseScript(`${HEARTBEATS} setTimeout(() => { for (;;); }, 100)`);
    await untilReady(2);
  });

  it('is replaced after its exit, with a backoff that doubles and the reason in the log', async () => {
    const { log } = superviseScript(
      "process.send({ type: 'kith:failed', text: 'no luck', code: 'E_BAD_INPUT' }, () => process.exit(1))",
    );
    await waitFor(() => expect(log).toHaveLength(2));
    const exit = { reason: 'no luck', error: 'E_BAD_INPUT', code: 1, signal: null };
    expect(log).toMatchObject([
      { ...exit, retryMs: 1_000 },
      { ...exit, retryMs: 2_000 },
    ]);
  });

  it.each([
    ['its exit code', 'process.exit(7)', 'exited with code 7'],
    ['its signal', "process.kill(process.pid, 'SIGKILL')", 'killed by SIGKILL'],
  ])('has %s as the reason if it reports no error', async (_, script, reason) => {
    const { log } = superviseScript(script);
    await waitFor(() => expect(log[0]).toMatchObject({ reason }));
  });

  it('is neither logged nor replaced if the caller takes over its exit', async () => {
    const exits: ChildExit[] = [];
    const onExit = (exit: ChildExit) => {
      exits.push(exit);
      return false;
    };
    const { log, stop, children } = superviseScript('process.exit(3)', { onExit });
    await waitFor(() => expect(exits).toMatchObject([{ code: 3 }]));
    await stop();
    expect({ log, started: children.length }).toEqual({ log: [], started: 1 });
  });

  it.each([
    ['is stopped', HEARTBEATS, 'SIGSTOP'],
    ['ignores SIGTERM', `process.on('SIGTERM', () => {}); ${HEARTBEATS}`, 'SIGCONT'],
  ] as const)('is killed at the end if it %s', async (_, script, signal) => {
    const limits = { ...LIMITS, missedHeartbeats: 10_000 };
    const { untilReady, stop, log } = superviseScript(script, { limits });
    const child = await untilReady(1);
    child.kill(signal);
    await stop();
    expect(child.signalCode).toBe('SIGKILL');
    expect(log.map(({ msg }) => msg)).toEqual(['child process did not stop in time, killing it']);
  });
});
