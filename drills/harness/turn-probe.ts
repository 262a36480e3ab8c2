import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export interface TurnProbe {
  /** Of the process to measure. */
  readonly env: Readonly<Record<string, string>>;
  /** The most CPU time of one turn of its event loop since the last call, in milliseconds. */
  read(): Promise<number>;
}

/** `socket` is a path that does not exist yet. */
export function createTurnProbe(socket: string): TurnProbe {
  return {
    env: { TURN_PROBE: socket, NODE_OPTIONS: `--import=${new URL('measured-process.ts', import.meta.url).href}` },
    read: async () => Number(await text(connect(socket))),
  };
}
