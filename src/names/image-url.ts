/** HTTP gateways for images on content-addressed storage. */
export interface ImageGateways {
  readonly ipfs: string;
  readonly arweave: string;
  /** The network of ENS, where NFTs of avatars are looked up. */
  readonly network: 'mainnet' | 'sepolia';
}

export type ImageKey = 'avatar' | 'header';

export type ImageUrl = { readonly url: string } | { readonly error: string };

/** Resolves NFT avatars and verifies that the holder of the name owns the NFT. */
const METADATA_SERVICE = 'https://metadata.ens.domains';
/** Limits `data:` URLs: a page of notifications has the avatar of each of its accounts. */
const MAX_LENGTH = 4_096;

const NFT = /^eip155:\d+\/[a-z0-9-]+:0x[0-9a-f]{40}\/.+$/i;
/** Also a path, or a URL at another gateway, which may not exist any more. */
const IPFS = /^(?:ipfs:\/\/(?:ipfs\/)?|\/?ipfs\/|https?:\/\/[^/?#]+\/ipfs\/)([a-z0-9]{32,}(?:[/?#].*)?)$/i;
const IPNS = /^(?:ipns:\/\/(?:ipns\/)?|\/?ipns\/|https?:\/\/[^/?#]+\/ipns\/)([a-z0-9][\w.-]*(?:[/?#].*)?)$/i;
/** CIDs in base 58, base 32, base 58 with a prefix, and base 16. */
const BARE_CID =
  /^((?:Qm[1-9A-HJ-NP-Za-km-z]{44,}|b[A-Za-z2-7]{58,}|B[A-Z2-7]{58,}|z[1-9A-HJ-NP-Za-km-z]{48,}|F[0-9A-F]{50,})(?:\/.*)?)$/;
const ARWEAVE = /^ar:\/\/([a-z0-9_-]{43}(?:[/?#].*)?)$/i;

/** Converts the text record of an image to a URL that a browser can load. Does no I/O. */
export function imageUrl(text: string, key: ImageKey, name: string, gateways: ImageGateways): ImageUrl {
  if (text === '') return { url: '' };
  if (text.length > MAX_LENGTH) return { error: `longer than ${MAX_LENGTH} characters` };
  if (/^data:image\//i.test(text)) return { url: text };
  const [, cid] = IPFS.exec(text) ?? BARE_CID.exec(text) ?? [];
  if (cid !== undefined) return { url: `${gateways.ipfs}/ipfs/${encodeURI(decode(cid))}` };
  const [, published] = IPNS.exec(text) ?? [];
  if (published !== undefined) return { url: `${gateways.ipfs}/ipns/${encodeURI(decode(published))}` };
  if (/^https?:\/\//i.test(text) && URL.canParse(text)) return { url: text };
  if (NFT.test(text) && name !== '') {
    return { url: `${METADATA_SERVICE}/${gateways.network}/${key}/${encodeURIComponent(name)}` };
  }
  const [, id] = ARWEAVE.exec(text) ?? [];
  if (id !== undefined) return { url: `${gateways.arweave}/${encodeURI(decode(id))}` };
  return { error: 'unsupported image: expected http, https, an image in data, ipfs, ipns, ar or an NFT' };
}

/** Some records are percent-encoded already; encoding them again would change the path. */
function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
