/** HTTP gateways for images on content-addressed storage. */
export interface ImageGateways {
  readonly ipfs: string;
  readonly arweave: string;
}

export type ImageKey = 'avatar' | 'header';

export type ImageUrl = { readonly url: string } | { readonly error: string };

/** Resolves NFT avatars and verifies that the holder of the name owns the NFT. */
const METADATA_SERVICE = 'https://metadata.ens.domains/mainnet';
/** Limits `data:` URLs: the avatar is repeated in every notification of its account. */
const MAX_LENGTH = 4_096;

const NFT = /^eip155:\d+\/[a-z0-9-]+:0x[0-9a-f]{40}\/.+$/i;
const IPFS = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]{32,}(?:[/?#].*)?)$/i;
const ARWEAVE = /^ar:\/\/([a-z0-9_-]{43}(?:[/?#].*)?)$/i;

/** Converts the text record of an image to a URL that a browser can load. Does no I/O. */
export function imageUrl(text: string, key: ImageKey, name: string, gateways: ImageGateways): ImageUrl {
  if (text === '') return { url: '' };
  if (text.length > MAX_LENGTH) return { error: `longer than ${MAX_LENGTH} characters` };
  if (/^data:/i.test(text)) return { url: text };
  if (/^https:\/\//i.test(text) && URL.canParse(text)) return { url: text };
  if (NFT.test(text) && name !== '') return { url: `${METADATA_SERVICE}/${key}/${encodeURIComponent(name)}` };
  const [, cid] = IPFS.exec(text) ?? [];
  if (cid !== undefined) return { url: `${gateways.ipfs}/ipfs/${encodeURI(decode(cid))}` };
  const [, id] = ARWEAVE.exec(text) ?? [];
  if (id !== undefined) return { url: `${gateways.arweave}/${encodeURI(decode(id))}` };
  return { error: 'unsupported image: expected https, data, ipfs, ar or an NFT' };
}

/** Some records are percent-encoded already; encoding them again would change the path. */
function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
