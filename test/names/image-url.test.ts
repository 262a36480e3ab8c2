import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../src/names/image-url.ts';

const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example', network: 'mainnet' } as const;
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
const CID_V1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
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
    ['returns an http URL unchanged', 'http://img.example/a.png', 'http://img.example/a.png'],
    ['rewrites a bare CID to the gateway', CID, `https://ipfs.example/ipfs/${CID}`],
    ['rewrites a bare CID with a path to the gateway', `${CID}/a.png`, `https://ipfs.example/ipfs/${CID}/a.png`],
    ['rewrites a bare CID of version 1 to the gateway', CID_V1, `https://ipfs.example/ipfs/${CID_V1}`],
    ['rewrites an ipfs path to the gateway', `/ipfs/${CID}`, `https://ipfs.example/ipfs/${CID}`],
    [
      'rewrites a URL at another gateway',
      `https://dead.example/ipfs/${CID}/a.png`,
      `https://ipfs.example/ipfs/${CID}/a.png`,
    ],
    [
      'rewrites an ipns URL to the gateway',
      'ipns://name.example/a.png',
      'https://ipfs.example/ipns/name.example/a.png',
    ],
    ['rewrites an ar URL to the gateway', `ar://${AR}`, `https://ar.example/${AR}`],
    ['rewrites an NFT to the ENS metadata service', NFT, 'https://metadata.ens.domains/mainnet/avatar/ada.eth'],
  ])('%s', (_, text, url) => {
    expect(of(text)).toEqual({ url });
  });

  it('builds the metadata URL of an NFT from the record key and the name', () => {
    const url = `https://metadata.ens.domains/mainnet/header/${encodeURIComponent('🦇.eth')}`;
    expect(of(NFT, 'header', '🦇.eth')).toEqual({ url });
  });

  it('builds the metadata URL of an NFT from the network of ENS', () => {
    const url = 'https://metadata.ens.domains/sepolia/avatar/ada.eth';
    expect(imageUrl(NFT, 'avatar', 'ada.eth', { ...GATEWAYS, network: 'sepolia' })).toEqual({ url });
  });

  it.each([
    'http://',
    'https://',
    'data:text/html,<script>alert(1)</script>',
    'data:text/html;base64,aW1hZ2Uv',
    'data:,image/png',
    'javascript:alert(1)',
    'ftp://img.example/a.png',
    '//img.example/a.png',
    'a.png',
    'ipfs://../../etc',
    'ipfs://short',
    'ipns://../../etc',
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
