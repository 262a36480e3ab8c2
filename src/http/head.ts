import { STATUS_CODES } from 'node:http';

/** The head of a response, down to the empty line; `headers` are names and values in turn. */
export function headOf(status: number, headers: readonly string[]): string {
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nDate: ${dateHeader()}\r\n`;
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${head}\r\n`;
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
