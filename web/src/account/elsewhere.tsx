import { explorerOf } from '../components/block-explorers.ts';
import { useIsDemo } from '../network/demo-mark.tsx';

interface Props {
  readonly address: string;
  /** Empty if the account has none. */
  readonly name: string;
}

/** Links to pages of other sites about the account. */
export function Elsewhere({ address, name }: Props) {
  // There, a generated name belongs to somebody else.
  if (useIsDemo()) return null;
  const links = [
    { label: 'EFP app', url: `https://efp.app/${encodeURIComponent(name || address)}` },
    ...(name === '' ? [] : [{ label: 'ENS', url: `https://app.ens.domains/${encodeURIComponent(name)}` }]),
    ...['1', '8453'].map((chainId) => explorerOf(chainId, address)).filter((link) => link !== null),
  ];
  return (
    <ul class="profile-links" aria-label="On other sites">
      {links.map(({ label, url }) => (
        <li key={label}>
          <a href={url} target="_blank" rel="noopener noreferrer nofollow">
            {label}
          </a>
        </li>
      ))}
    </ul>
  );
}
