/** Where images are shown from that have no URL of their own. */
export interface ImageGateways {
  readonly ipfs: string;
  readonly arweave: string;
}

export type ImageKey = 'avatar' | 'header';

/** A URL, or why there is none. */
export type ImageUrl = { readonly url: string } | { readonly error: string };

/** Knows what NFT a name shows, and whether its holder still has it. */
const METADATA_SERVICE = 'https://metadata.ens.domains/mainnet';
/** An avatar stands in every notification of its account, so one that holds the image itself must be small. */
const LONGEST = 4_096;

const NFT = /^eip155:\d+\/[a-z0-9-]+:0x[0-9a-f]{40}\/.+$/i;
const IPFS = /^ipfs:\/\/(?:ipfs\/)?([a-z0-9]{32,}(?:[/?#].*)?)$/i;
const ARWEAVE = /^ar:\/\/([a-z0-9_-]{43}(?:[/?#].*)?)$/i;

/** What a text record says an image is, as a URL that a page can show. Nothing is fetched. */
export function imageUrl(text: string, key: ImageKey, name: string, gateways: ImageGateways): ImageUrl {
  if (text === '') return { url: '' };
  if (text.length > LONGEST) return { error: `longer than ${LONGEST} characters` };
  if (/^data:/i.test(text)) return { url: text };
  if (/^https:\/\//i.test(text) && URL.canParse(text)) return { url: text };
  if (NFT.test(text) && name !== '') return { url: `${METADATA_SERVICE}/${key}/${encodeURIComponent(name)}` };
  const [, cid] = IPFS.exec(text) ?? [];
  if (cid !== undefined) return { url: `${gateways.ipfs}/ipfs/${encodeURI(decode(cid))}` };
  const [, id] = ARWEAVE.exec(text) ?? [];
  if (id !== undefined) return { url: `${gateways.arweave}/${encodeURI(decode(id))}` };
  return { error: 'not an image that can be shown: expected https, data, ipfs, ar or an NFT' };
}

/** Some have been escaped already. */
function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
