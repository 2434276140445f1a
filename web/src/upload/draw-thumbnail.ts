import type { UploadItem } from './upload-item.ts';

/** A row that is scrolled past gets none. */
const DELAY_MS = 200;
/** A decode takes memory in proportion to the pixels. */
const MAX_BYTES = 30 * 2 ** 20;

/** One decode at a time. */
let last: Promise<void> = Promise.resolve();

/** Leaves the canvas empty if the file is no picture, or too large for a thumbnail. Never rejects. */
export async function drawThumbnail(
  { file, size }: UploadItem,
  canvas: HTMLCanvasElement,
  signal: AbortSignal,
): Promise<void> {
  if (size > MAX_BYTES) return;
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  last = last.then(() => (signal.aborted ? undefined : draw(file, canvas, signal).catch(() => undefined)));
  await last;
}

async function draw(file: File, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const bitmap = await createImageBitmap(file);
  const side = Math.min(bitmap.width, bitmap.height);
  const left = (bitmap.width - side) / 2;
  const top = (bitmap.height - side) / 2;
  const context = canvas.getContext('2d');
  if (!signal.aborted && context !== null) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, left, top, side, side, 0, 0, canvas.width, canvas.height);
  }
  bitmap.close();
}
