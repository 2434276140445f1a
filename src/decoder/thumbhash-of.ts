import { rgbaToThumbHash } from 'thumbhash';
import type { Pixels } from '../domain/image/image-hashes.ts';

/** Base64. Of small pixels: 100 pixels block the event loop sixteen times as long as 24. */
export function thumbhashOf({ width, height, channels, data }: Pixels): string {
  const rgba = channels === 4 ? data : withOpacity(data);
  return Buffer.from(rgbaToThumbHash(width, height, rgba)).toString('base64');
}

function withOpacity(rgb: Uint8Array): Uint8Array {
  const rgba = new Uint8Array((rgb.length / 3) * 4).fill(255);
  for (let from = 0, to = 0; from < rgb.length; from += 3, to += 4) {
    rgba.set(rgb.subarray(from, from + 3), to);
  }
  return rgba;
}
