import { fileURLToPath } from 'node:url';
import { Resvg } from '@resvg/resvg-js';
import { answerCalls } from '../../async/worker-calls.ts';
import type { CardMethods } from './cards.ts';

// The worker of `createCardThread`.
const FONT = import.meta.resolve('@expo-google-fonts/didact-gothic/400Regular/DidactGothic_400Regular.ttf');
const font = {
  fontFiles: [fileURLToPath(FONT)],
  loadSystemFonts: false,
  defaultFontFamily: 'Didact Gothic',
};

answerCalls<CardMethods>(() => ({
  render: (svg) => new Resvg(svg, { font }).render().asPng(),
}));
