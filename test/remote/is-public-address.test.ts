import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/remote/is-public-address.ts';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1', '2a00::1'])(
    'returns true for %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['the unspecified address', '0.0.0.0'],
    ['the range of the unspecified address', '0.1.2.3'],
    ['loopback', '127.0.0.1'],
    ['the end of the loopback range', '127.255.255.254'],
    ['a private network (10/8)', '10.0.0.1'],
    ['a private network (172.16/12)', '172.16.0.1'],
    ['the end of 172.16/12', '172.31.255.255'],
    ['a private network (192.168/16)', '192.168.1.1'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['link-local, such as cloud metadata', '169.254.169.254'],
    ['the endpoint of Azure in its machines', '168.63.129.16'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarking', '198.18.0.1'],
    ['6to4 relays', '192.88.99.1'],
    ['multicast', '224.0.0.1'],
    ['the reserved range', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['IPv6 loopback', '::1'],
    ['the unspecified IPv6 address', '::'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1'],
    ['IPv4-mapped loopback in hex', '::ffff:7f00:1'],
    ['IPv4-compatible loopback', '::127.0.0.1'],
    ['IPv4-mapped cloud metadata', '::ffff:169.254.169.254'],
    ['IPv4-translated loopback', '::ffff:0:127.0.0.1'],
    ['NAT64 loopback', '64:ff9b::7f00:1'],
    ['local-use NAT64', '64:ff9b:1::7f00:1'],
    ['6to4', '2002:7f00:1::'],
    ['Teredo', '2001::1'],
    ['IPv6 link-local', 'fe80::1'],
    ['IPv6 link-local with a zone', 'fe80::1%eth0'],
    ['IPv6 site-local', 'fec0::1'],
    ['IPv6 unique local', 'fc00::1'],
    ['IPv6 cloud metadata', 'fd00:ec2::254'],
    ['IPv6 multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['the discard prefix', '100::1'],
    ['an unallocated range', '4000::1'],
    ['an empty string', ''],
    ['a host name', 'localhost'],
  ])('returns false for %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
