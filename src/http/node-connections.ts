import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of which Node itself reads the requests: none but those that it is given. */
export class NodeConnections {
  readonly #server: Server;
  /** What the server does with a connection. */
  readonly #accept: ((socket: Socket) => void)[];
  /** The last answer on each connection, which is the last to be finished; none where nothing was asked. */
  readonly #last = new Map<Socket, ServerResponse | null>();
  #isDraining = false;

  constructor(server: Server) {
    this.#server = server;
    // Safe: they listen to that event.
    this.#accept = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection');
    server.on('request', ({ socket }: IncomingMessage, res: ServerResponse) => {
      this.#last.set(socket, res);
      if (this.#isDraining) this.#endAfter(socket, res);
    });
  }

  /** Takes a connection, and what has been read from it already. */
  readonly take = (socket: Socket, read: Buffer): void => {
    this.#last.set(socket, null);
    socket.once('close', () => this.#last.delete(socket));
    for (const accept of this.#accept) accept.call(this.#server, socket);
    socket.unshift(read);
  };

  /** The server itself would wait until the clients leave. */
  drain(): void {
    this.#isDraining = true;
    for (const [socket, last] of this.#last) this.#endAfter(socket, last);
  }

  /** Ends those that are left, whatever is under way. */
  cut(): void {
    for (const socket of this.#last.keys()) socket.destroy();
  }

  #endAfter(socket: Socket, last: ServerResponse | null): void {
    if (last === null || last.closed) socket.destroySoon();
    // Unless something more was asked meanwhile.
    else last.once('close', () => this.#last.get(socket) === last && socket.destroySoon());
  }
}
