import { IDENTICON_SIZE, identiconOf } from '../../../../src/http/pages/identicon.ts';
import { safeImageUrl } from '../../components/safe-url.ts';
import type { Node } from './neighbourhood.ts';

/** In pixels; a node is hardly ever drawn larger. */
const SIDE = 96;

/** Returns a function that gives the round picture of an account: a generated one, and its own once that has loaded. */
export function createSprites(onLoad: () => void): (node: Node) => CanvasImageSource {
  const sprites = new Map<string, CanvasImageSource>();
  return (node) => {
    let sprite = sprites.get(node.address);
    if (sprite === undefined) sprites.set(node.address, (sprite = createSprite(node, onLoad)));
    return sprite;
  };
}

function createSprite({ address, avatar }: Node, onLoad: () => void): CanvasImageSource {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = SIDE;
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.arc(SIDE / 2, SIDE / 2, SIDE / 2, 0, 2 * Math.PI);
  context.clip();
  drawIdenticon(context, address);
  const url = safeImageUrl(avatar);
  if (url !== null) {
    const image = new Image();
    image.referrerPolicy = 'no-referrer';
    image.onload = () => {
      drawImage(context, image);
      onLoad();
    };
    image.src = url;
  }
  return canvas;
}

function drawIdenticon(context: CanvasRenderingContext2D, address: string): void {
  const { background, circles } = identiconOf(address);
  const scale = SIDE / IDENTICON_SIZE;
  context.fillStyle = background;
  context.fillRect(0, 0, SIDE, SIDE);
  for (const { x, y, radius, colour } of circles) {
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x * scale, y * scale, radius * scale, 0, 2 * Math.PI);
    context.fill();
  }
}

/** Covers the sprite, as `object-fit: cover` does. */
function drawImage(context: CanvasRenderingContext2D, image: HTMLImageElement): void {
  // An SVG picture may have no size.
  const [width, height] = [image.naturalWidth || SIDE, image.naturalHeight || SIDE];
  const scale = SIDE / Math.min(width, height);
  context.clearRect(0, 0, SIDE, SIDE);
  context.drawImage(image, (SIDE - width * scale) / 2, (SIDE - height * scale) / 2, width * scale, height * scale);
}
