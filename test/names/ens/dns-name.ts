import type { Hex } from 'viem';

/** Decodes a name in the wire format of DNS. */
export function decodeName(packet: Hex): string {
  const bytes = Buffer.from(packet.slice(2), 'hex');
  const labels: string[] = [];
  for (let at = 0; bytes[at]; at += 1 + (bytes[at] ?? 0)) {
    labels.push(bytes.toString('utf8', at + 1, at + 1 + (bytes[at] ?? 0)));
  }
  return labels.join('.');
}
