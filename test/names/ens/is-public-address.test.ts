import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/names/ens/is-public-address.ts';

describe('isPublicAddress', () => {
  it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '::ffff:1.1.1.1', '2a00::1'])(
    'is %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    ['this network', '0.0.0.0'],
    ['this network, further on', '0.1.2.3'],
    ['this machine', '127.0.0.1'],
    ['this machine, further on', '127.255.255.254'],
    ['a private network', '10.0.0.1'],
    ['a private network in the middle', '172.16.0.1'],
    ['a private network at its end', '172.31.255.255'],
    ['a home', '192.168.1.1'],
    ['a provider', '100.64.0.1'],
    ['a link, where clouds keep credentials', '169.254.169.254'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarks', '198.18.0.1'],
    ['relays of 6to4', '192.88.99.1'],
    ['a group', '224.0.0.1'],
    ['the future', '240.0.0.1'],
    ['everybody', '255.255.255.255'],
    ['this machine', '::1'],
    ['nobody', '::'],
    ['this machine, in IPv4', '::ffff:127.0.0.1'],
    ['this machine, in IPv4 as digits', '::ffff:7f00:1'],
    ['this machine, in IPv4 as it once was', '::127.0.0.1'],
    ['a cloud’s link, in IPv4', '::ffff:169.254.169.254'],
    ['a translation', '::ffff:0:127.0.0.1'],
    ['a translation (NAT64)', '64:ff9b::7f00:1'],
    ['a local translation', '64:ff9b:1::7f00:1'],
    ['a tunnel (6to4)', '2002:7f00:1::'],
    ['a tunnel (Teredo)', '2001::1'],
    ['a link', 'fe80::1'],
    ['a link with its interface', 'fe80::1%eth0'],
    ['a site', 'fec0::1'],
    ['a private network', 'fc00::1'],
    ['a cloud', 'fd00:ec2::254'],
    ['a group', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['what is thrown away', '100::1'],
    ['what has not been given out', '4000::1'],
    ['nothing', ''],
    ['a name', 'localhost'],
  ])('returns false for %s: %s', (_what, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
