import { expect, it } from 'vitest';
import { createHostLookup } from '../../../src/remote/guarded-fetch.ts';

const gone = (kind: string) => async () => Promise.reject(new Error(`no ${kind}`));
const finding =
  (...addresses: string[]) =>
  async () =>
    addresses;
// Safe: only the methods in use are implemented.
const lookupOf = (resolve4: unknown, resolve6: unknown) => createHostLookup({ resolve4, resolve6 } as never);

it('createHostLookup returns all IPv4 and IPv6 addresses', async () => {
  expect(await lookupOf(finding('192.0.2.1', '192.0.2.2'), finding('2001:db8::1'))('some.example')).toEqual([
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]);
});

it('createHostLookup returns the addresses of one family if the other has none', async () => {
  expect(await lookupOf(gone('A'), finding('2001:db8::1'))('some.example')).toEqual([
    { address: '2001:db8::1', family: 6 },
  ]);
});

it('createHostLookup rejects with the DNS error if there is no address', async () => {
  await expect(lookupOf(gone('A'), gone('AAAA'))('some.example')).rejects.toThrow('no A');
});
