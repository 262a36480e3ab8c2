import { IDENTICON_SIZE, identiconOf } from '../../../src/http/pages/identicon.ts';
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

function GeneratedPicture({ address }: { readonly address: string }) {
  const { background, circles } = identiconOf(address);
  return (
    <svg viewBox={`0 0 ${IDENTICON_SIZE} ${IDENTICON_SIZE}`} aria-hidden="true">
      <rect width="100%" height="100%" fill={background} />
      {circles.map(({ x, y, radius, colour }) => (
        <circle key={colour} cx={x} cy={y} r={radius} fill={colour} />
      ))}
    </svg>
  );
}
