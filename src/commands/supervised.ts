import type { ErrorDescription } from './describe-error.ts';

/** The last argument of a child process that `supervise` started. */
export const SUPERVISED = '--supervised';

/** How often a supervised process sends a heartbeat. */
export const HEARTBEAT_MS = 1_000;

/** IPC messages from a supervised process to its parent. */
export type ChildMessage =
  | { readonly type: 'kith:heartbeat' }
  /** Sent instead of printing the error that ends the process. */
  | ({ readonly type: 'kith:failed' } & ErrorDescription);

export function isChildMessage(message: unknown): message is ChildMessage {
  const type = (message as Partial<ChildMessage> | null)?.type;
  return type === 'kith:heartbeat' || type === 'kith:failed';
}

/** Resolves when the message is written, or cannot be because the parent is gone. */
function sendToParent(message: ChildMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send?.(message, undefined, undefined, () => resolve());
  });
}

/** Sends heartbeats while the event loop runs. They do not keep the process alive. */
export function sendHeartbeats(): void {
  const beat = () => void sendToParent({ type: 'kith:heartbeat' });
  beat();
  setInterval(beat, HEARTBEAT_MS).unref();
}

export function sendFailure(failure: ErrorDescription): Promise<void> {
  return sendToParent({ type: 'kith:failed', ...failure });
}
