import { ORIGINAL_NAME_MAX_BYTES, originalFileName, utf8Length } from '../image/file-name.ts';
import type { NewImage } from '../image/image.ts';

/** Some systems take these for folders, drives or nothing. */
const UNSAFE = /[/\\:\p{Cc}]/gu;

/**
 * The names of files in one folder, in the order of the images: in NFC, of at most 255 bytes, and different on systems that ignore
 * case. The first of equal names stays as it is.
 */
export function entryNames(images: readonly NewImage[]): readonly string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return images.map((image) => {
    const plain = originalFileName(image).normalize('NFC').replace(UNSAFE, '_');
    const dot = plain.lastIndexOf('.');
    const [base, extension] = [plain.slice(0, dot), plain.slice(dot)];
    const key = caseless(plain);
    let number = next.get(key) ?? 1;
    let name = numberName(base, extension, number);
    while (taken.has(caseless(name))) {
      number += 1;
      name = numberName(base, extension, number);
    }
    next.set(key, number);
    taken.add(caseless(name));
    return name;
  });
}

/** Lower case alone would keep `ß` and `SS` apart. */
function caseless(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC');
}

function numberName(base: string, extension: string, number: number): string {
  const suffix = `${number === 1 ? '' : ` (${number})`}${extension}`;
  let cut = base;
  while (utf8Length(cut) + utf8Length(suffix) > ORIGINAL_NAME_MAX_BYTES) cut = cut.replace(/.$/su, '');
  return cut + suffix;
}
