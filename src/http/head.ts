import { STATUS_CODES } from 'node:http';

/** A line of a head. */
export function line(name: string, value: string): string {
  return `${name}: ${value}\r\n`;
}

export const CLOSE = line('Connection', 'close');

/** The head of a response, down to the empty line; `headers` are lines. */
export function headOf(status: number, headers: string): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${dateHeader()}\r\n${headers}\r\n`;
}

let second = 0;
let date = '';

/** Made once a second: it has no finer parts. */
function dateHeader(): string {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}
