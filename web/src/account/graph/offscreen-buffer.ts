import type { View } from './draw.ts';

interface Size {
  readonly width: number;
  readonly height: number;
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

export interface OffscreenBuffer {
  /** Whether the drawing has changed, apart from the view. */
  isStale: boolean;
  show(view: View, size: Size): void;
  end(): void;
}

/** Around the visible part, as a share of it. */
const OVERSCAN = 0.4;
/** A scaled image is blurred, so it is drawn again this many milliseconds after the last zoom. */
const SHARPEN_AFTER = 120;

/**
 * Keeps the drawing as an image larger than the canvas, and moves that while people move the view: this stays smooth
 * where many lines cannot be drawn for each frame, as without a graphics processor.
 */
export function createOffscreenBuffer(
  canvas: CanvasRenderingContext2D,
  draw: (context: CanvasRenderingContext2D) => void,
  schedule: () => void,
): OffscreenBuffer {
  const image = document.createElement('canvas');
  const context = image.getContext('2d');
  let taken: View | null = null;
  let sharpening = 0;
  const buffer: OffscreenBuffer = {
    isStale: true,
    show(view, size) {
      const { width, height, ratio } = size;
      if (width === 0 || height === 0) return;
      const margin = { x: Math.round(width * OVERSCAN), y: Math.round(height * OVERSCAN) };
      const scale = taken === null ? 1 : view.scale / taken.scale;
      // The corner of the image on the canvas.
      const left = taken === null ? 0 : view.x - (taken.x + margin.x) * scale;
      const top = taken === null ? 0 : view.y - (taken.y + margin.y) * scale;
      const right = left + (width + 2 * margin.x) * scale;
      const bottom = top + (height + 2 * margin.y) * scale;
      const isCovered = left <= 0 && top <= 0 && right >= width && bottom >= height;
      const isUsable = taken !== null && !buffer.isStale && isCovered && scale > 0.6 && scale < 1.7;
      canvas.setTransform(ratio, 0, 0, ratio, 0, 0);
      canvas.clearRect(0, 0, width, height);
      if (isUsable) {
        canvas.drawImage(image, left, top, right - left, bottom - top);
        if (scale !== 1) {
          clearTimeout(sharpening);
          sharpening = window.setTimeout(() => {
            buffer.isStale = true;
            schedule();
          }, SHARPEN_AFTER);
        }
        return;
      }
      clearTimeout(sharpening);
      const pixels = {
        width: Math.round((width + 2 * margin.x) * ratio),
        height: Math.round((height + 2 * margin.y) * ratio),
      };
      if (image.width !== pixels.width || image.height !== pixels.height) Object.assign(image, pixels);
      if (context === null) return;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, image.width, image.height);
      context.setTransform(ratio, 0, 0, ratio, margin.x * ratio, margin.y * ratio);
      draw(context);
      taken = view;
      buffer.isStale = false;
      canvas.drawImage(image, -margin.x, -margin.y, width + 2 * margin.x, height + 2 * margin.y);
    },
    end: () => clearTimeout(sharpening),
  };
  return buffer;
}
