import { byteOf, hueOf } from './address-colours.ts';
import { Picture } from './picture.tsx';

interface Props {
  readonly address: string;
  readonly src?: string | null | undefined;
}

/** The picture of an account, or a generated one. */
export function Avatar({ address, src }: Props) {
  return (
    <Picture src={src} class="avatar">
      <GeneratedPicture address={address} />
    </Picture>
  );
}

/** Three circles whose colours and places are derived from the address. */
function GeneratedPicture({ address }: { readonly address: string }) {
  const byte = (index: number) => byteOf(address, index);
  const hue = hueOf(address);
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
