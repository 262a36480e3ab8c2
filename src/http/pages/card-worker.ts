import { Resvg } from '@resvg/resvg-js';
import { answerCalls } from '../../async/worker-calls.ts';
import { CARD_FONTS } from './card-fonts.ts';
import type { CardMethods } from './cards.ts';

// The worker of `createCardThread`.
const font = {
  fontFiles: CARD_FONTS,
  loadSystemFonts: false,
  defaultFontFamily: 'Didact Gothic',
};

const render = (svg: string) => new Resvg(svg, { font }).render();

answerCalls<CardMethods>(() => ({
  render: (svg) => render(svg).asPng(),
  // A picture that cannot be decoded is left out.
  isDrawable: (url) =>
    render(
      `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><image href="${url}" width="8" height="8"/></svg>`,
    ).pixels.some((value) => value > 0),
}));
