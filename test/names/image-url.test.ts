import { describe, expect, it } from 'vitest';
import { imageUrl } from '../../src/names/image-url.ts';

const GATEWAYS = { ipfs: 'https://ipfs.example', arweave: 'https://ar.example' };
const CID = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG';
const AR = 'bNbA3TEQVL60xlgCcqdz4ZPHFZ711cZ3hmkpGttDt_U';
const NFT = 'eip155:1/erc721:0xb7F7F6C52F2e2fdb1963Eab30438024864c313F6/2430';
const of = (text: string, key: 'avatar' | 'header' = 'avatar', name = 'ada.eth') => imageUrl(text, key, name, GATEWAYS);

describe('an image', () => {
  it.each([
    ['is nothing when there is no record', '', ''],
    ['is an https URL as it stands', 'https://img.example/A b.png?x=1#y', 'https://img.example/A b.png?x=1#y'],
    ['may be written in capitals', 'HTTPS://IMG.EXAMPLE/a', 'HTTPS://IMG.EXAMPLE/a'],
    ['is a data URL as it stands', 'data:image/svg+xml;utf8,<svg/>', 'data:image/svg+xml;utf8,<svg/>'],
    ['on IPFS is at the gateway', `ipfs://${CID}/a.png`, `https://ipfs.example/ipfs/${CID}/a.png`],
    ['on IPFS may say so twice', `ipfs://ipfs/${CID}`, `https://ipfs.example/ipfs/${CID}`],
    ['on IPFS may have odd letters', `ipfs://${CID}/ö "1.png`, `https://ipfs.example/ipfs/${CID}/%C3%B6%20%221.png`],
    ['on IPFS may be escaped already', `ipfs://${CID}/a%20b.png`, `https://ipfs.example/ipfs/${CID}/a%20b.png`],
    ['on Arweave is at the gateway', `ar://${AR}`, `https://ar.example/${AR}`],
    ['that is an NFT is at the metadata service', NFT, 'https://metadata.ens.domains/mainnet/avatar/ada.eth'],
  ])('%s', (_, text, url) => {
    expect(of(text)).toEqual({ url });
  });

  it('that is an NFT is found by its key and its name', () => {
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
  ])('is none when the record is %j', (text) => {
    expect(of(text)).toEqual({ error: expect.stringMatching(/^unsupported image/) });
  });

  it('that is an NFT is none without a name to ask by', () => {
    expect(of(NFT, 'avatar', '')).toEqual({ error: expect.any(String) });
  });

  it.each(['data:image/png;base64,', 'https://img.example/'])(
    'may be long, but not too long, when it begins %s',
    (start) => {
      const longest = start.padEnd(4_096, 'A');
      expect(of(longest)).toEqual({ url: longest });
      expect(of(`${longest}A`)).toEqual({ error: 'longer than 4096 characters' });
    },
  );
});
