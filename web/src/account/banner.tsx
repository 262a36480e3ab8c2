import { byteOf, hueOf } from '../../../src/http/pages/identicon.ts';
import { Picture } from '../components/picture.tsx';

interface Props {
  readonly address: string;
  readonly src: string;
}

/** The header picture of an account, or a generated one. */
export function Banner({ address, src }: Props) {
  return (
    <Picture src={src} class="banner">
      <GeneratedBanner address={address} />
    </Picture>
  );
}

const NODES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/** A small graph in the colours of the generated avatar. Each node is placed by two bytes of the address. */
function GeneratedBanner({ address }: { readonly address: string }) {
  const byte = (index: number) => byteOf(address, index);
  const hue = hueOf(address);
  const colour = (turn: number, light: number) => `hsl(${(hue + turn) % 360} 55% ${light}%)`;
  const nodes = NODES.map((index) => ({
    x: index * 40 + 5 + byte(index * 2) / 8,
    y: 8 + byte(index * 2 + 1) / 4,
    size: 2 + byte(19 - index) / 64,
  }));
  return (
    <svg viewBox="0 0 400 80" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id="banner-colours">
          <stop stop-color={colour(0, 34)} />
          <stop offset="0.6" stop-color={colour(40, 44)} />
          <stop offset="1" stop-color={colour(80, 52)} />
        </linearGradient>
      </defs>
      <rect width="400" height="80" fill="url(#banner-colours)" />
      <g stroke={colour(80, 82)} stroke-opacity="0.35" stroke-width="0.6">
        {nodes.map((node, index) =>
          nodes
            .slice(index + 1, index + 3)
            .map((other) => <line key={other.x} x1={node.x} y1={node.y} x2={other.x} y2={other.y} />),
        )}
      </g>
      {nodes.map((node) => (
        <circle key={node.x} cx={node.x} cy={node.y} r={node.size} fill={colour(60, 82)} fill-opacity="0.75" />
      ))}
    </svg>
  );
}
