import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../src/names/image-url.ts';

const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example' };
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
const AR = 'bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U';
const NFT = 'eip155:1/erc721:0xb7F7F6C52F2e2fdb1963Eab30438024864c313F6/2430';
const of = (text: string, key: 'avatar' | 'header' = 'avatar', name = 'ada.eth') => imageUrl(text, key, name, GATEWAYS);

describe('imageUrl', () => {
  it.each([
    ['returns an empty URL for an empty record', '', ''],
    ['returns an https URL unchanged', 'https://img.example/A b.png?x=1#y', 'https://img.example/A b.png?x=1#y'],
    ['accepts an upper-case scheme', 'HTTPS://IMG.EXAMPLE/a', 'HTTPS://IMG.EXAMPLE/a'],
    ['returns a data URL unchanged', 'data:image/svg+xml;utf8,<svg/>', 'data:image/svg+xml;utf8,<svg/>'],
    ['rewrites an ipfs URL to the gateway', `ipfs://${CID}/a.png`, `https://ipfs.example/ipfs/${CID}/a.png`],
    ['accepts ipfs://ipfs/', `ipfs://ipfs/${CID}`, `https://ipfs.example/ipfs/${CID}`],
    [
      'percent-encodes the path of an ipfs URL',
      `ipfs://${CID}/ö "1.png`,
      `https://ipfs.example/ipfs/${CID}/%C3%B6%20%221.png`,
    ],
    ['does not encode an ipfs path twice', `ipfs://${CID}/a%20b.png`, `https://ipfs.example/ipfs/${CID}/a%20b.png`],
    ['rewrites an ar URL to the gateway', `ar://${AR}`, `https://ar.example/${AR}`],
    ['rewrites an NFT to the ENS metadata service', NFT, 'https://metadata.ens.domains/mainnet/avatar/ada.eth'],
  ])('%s', (_, text, url) => {
    expect(of(text)).toEqual({ url });
  });

  it('builds the metadata URL of an NFT from the record key and the name', () => {
    const url = `https://metadata.ens.domains/mainnet/header/${encodeURIComponent('🦇.eth')}`;
    expect(of(NFT, 'header', '🦇.eth')).toEqual({ url });
  });

  it.each([
    'http://img.example/a.png',
    'https://',
    'javascript:alert(1)',
    'ftp://img.example/a.png',
    '//img.example/a.png',
    'a.png',
    'ipfs://../../etc',
    'ipfs://short',
    'ipns://name.example',
    'ar://short',
    'eip155:1/erc721:0x12/1',
    'eip155:1/erc721',
    ' https://img.example/a.png',
  ])('returns an error for the record %j', (text) => {
    expect(of(text)).toEqual({ error: expect.stringMatching(/^unsupported image/) });
  });

  it('returns an error for an NFT of an account without a name', () => {
    expect(of(NFT, 'avatar', '')).toEqual({ error: expect.any(String) });
  });

  it.each(['data:image/png;base64,', 'https://img.example/'])(
    'accepts 4096 characters and rejects more for a URL that starts with %s',
    (start) => {
      const maximal = start.padEnd(4_096, 'A');
      expect(of(maximal)).toEqual({ url: maximal });
      expect(of(`${maximal}A`)).toEqual({ error: 'longer than 4096 characters' });
    },
  );
});
