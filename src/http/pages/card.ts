import { shortAddress } from '../../protocol/hex.ts';
import { escapeText } from './head.ts';
import { drawIdenticon } from './identicon.ts';
import { type Details, numbersOf } from './page-details.ts';

/** What the font has glyphs for. It has none for other scripts, rare Cyrillic letters and emoji. */
const DRAWABLE = /^[\p{Script=Latin}\p{Script=Greek}\u0400-\u045f\u0490\u0491\p{Mark}\d._$-]+$/u;
const MAX_LENGTH = 30;
const LINE_WIDTH = 1040;
/** In units of the font size: the widest letters, and the mean of digits and small letters. */
const WIDEST = 0.8;
const MEAN = 0.44;

/** The picture of an account for previews of links, as SVG. A name that cannot be drawn is left out. */
export function drawCard(details: Details): string {
  const { address, ens } = details;
  const hasName = DRAWABLE.test(ens.name);
  const title = shorten(hasName ? ens.name : shortAddress(address));
  const numbers = numbersOf(details).join(' · ');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#f6f5f1"/>
<rect y="614" width="1200" height="16" fill="#0b7a6f"/>
<clipPath id="round"><circle cx="16" cy="16" r="16"/></clipPath>
<g transform="translate(80 70) scale(6.5)"><g clip-path="url(#round)">${drawIdenticon(address)}</g></g>
<g transform="translate(944 74) scale(2)" fill="#0b7a6f">
<path d="M9 22 16 9l7 13z" fill="none" stroke="#0b7a6f" stroke-width="2"/>
<circle cx="9" cy="22" r="3.6"/><circle cx="23" cy="22" r="3.6"/><circle cx="16" cy="9" r="3.6" fill="#d99a00"/></g>
<text x="1014" y="126" font-size="56" fill="#1d1f23">Kith</text>
<text x="80" y="400" font-size="${sizeFor(title, WIDEST, 92)}" fill="#1d1f23">${escapeText(title)}</text>
<text x="80" y="460" font-size="36" fill="#5b5f68">${hasName ? shortAddress(address) : ''}</text>
<text x="80" y="556" font-size="${sizeFor(numbers, MEAN, 46)}" fill="#0a6b61">${numbers}</text>
</svg>`;
}

/** The size at which a text fits on a line. */
function sizeFor(text: string, letterWidth: number, maxSize: number): number {
  return Math.min(maxSize, Math.floor(LINE_WIDTH / (text.length * letterWidth)));
}

function shorten(text: string): string {
  const characters = [...text];
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}
