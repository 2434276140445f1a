import type { NewImage } from '../image/image.ts';
import { cutToBytes, ORIGINAL_NAME_MAX_BYTES, originalFileName } from '../image/original-file-name.ts';
import { utf8Length } from '../image/utf8-length.ts';

/** Some systems take these for folders, drives or nothing. */
const UNSAFE = /[/\\:\p{Cc}]/gu;

/**
 * Names files in one folder: in NFC, of at most 255 bytes, and different on systems that ignore case. The first of equal names
 * stays as it is, the others are numbered. The work for one name does not grow with the number of names before it.
 */
export class EntryNames {
  private readonly taken = new Set<string>();
  /** The last number that was tried, by the name without it, which may have been cut. */
  private readonly numbers = new Map<string, number>();

  nameOf(image: NewImage): string {
    const plain = originalFileName(image).normalize('NFC').replace(UNSAFE, '_');
    const dot = plain.lastIndexOf('.');
    const [base, extension] = [plain.slice(0, dot), plain.slice(dot)];
    const name = cutToBytes(base, ORIGINAL_NAME_MAX_BYTES - utf8Length(extension)) + extension;
    return this.take(name) ? name : this.numberName(base, extension);
  }

  /** Each round has one digit more: the name may have to be shorter, and then has another count. */
  private numberName(base: string, extension: string): string {
    for (let digits = 1; ; digits += 1) {
      const cut = cutToBytes(base, ORIGINAL_NAME_MAX_BYTES - ' ()'.length - digits - utf8Length(extension));
      const key = caseless(cut + extension);
      let number = Math.max(this.numbers.get(key) ?? 1, 10 ** (digits - 1) - 1) + 1;
      for (; number < 10 ** digits; number += 1) {
        this.numbers.set(key, number);
        const name = `${cut} (${number})${extension}`;
        if (this.take(name)) return name;
      }
    }
  }

  private take(name: string): boolean {
    const key = caseless(name);
    if (this.taken.has(key)) return false;
    this.taken.add(key);
    return true;
  }
}

/** Lower case alone would keep `ß` and `SS` apart. */
function caseless(name: string): string {
  return name.toUpperCase().toLowerCase().normalize('NFC');
}
