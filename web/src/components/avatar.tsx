import { useState } from 'preact/hooks';
import { safeImageUrl } from './safe-url.ts';

interface Props {
  readonly address: string;
  readonly src?: string | null | undefined;
  readonly size: number;
}

/** The picture of an account. A generated one is shown until it has loaded, and if there is none. */
export function Avatar({ address, src, size }: Props) {
  const [state, setState] = useState({ src: '', isLoaded: false });
  const url = safeImageUrl(src);
  const isLoaded = state.isLoaded && state.src === url;
  return (
    <span class="avatar" data-size={size}>
      {!isLoaded && <GeneratedPicture address={address} />}
      {url !== null && (
        <img
          src={url}
          alt=""
          width={size}
          height={size}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          class={isLoaded ? '' : 'pending'}
          onLoad={() => setState({ src: url, isLoaded: true })}
          onError={() => setState({ src: url, isLoaded: false })}
        />
      )}
    </span>
  );
}

/** Three circles whose colours and places are derived from the address. */
function GeneratedPicture({ address }: { readonly address: string }) {
  const byte = (index: number) => Number.parseInt(address.slice(2 + index * 2, 4 + index * 2), 16) || 0;
  const hue = Math.round((byte(0) * 360) / 256);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 62% ${light}%)`;
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" fill={colour(0, 46)} />
      <circle cx={byte(1) / 8} cy={byte(2) / 8} r={9 + byte(3) / 40} fill={colour(40, 62)} />
      <circle cx={byte(4) / 8} cy={byte(5) / 8} r={6 + byte(6) / 40} fill={colour(80, 74)} />
      <circle cx={byte(7) / 8} cy={byte(8) / 8} r={3 + byte(9) / 50} fill={colour(190, 84)} />
    </svg>
  );
}
