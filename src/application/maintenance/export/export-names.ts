import type { Image } from '../../../domain/image/image.ts';
import { cutToBytes, EXTENSIONS } from '../../../domain/image/original-file-name.ts';

/** Bytes of UTF-8 that leave room for a number, below the 255 of common file systems. */
const MAX_BYTES = 200;

/** Device names of Windows, with any extension: https://learn.microsoft.com/windows/win32/fileio/naming-a-file */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Files of the export itself, and files that an import skips. */
const RESERVED = new Set(['records.ndjson', 'thumbs.db', 'ehthumbs.db', 'desktop.ini']);

type NamedImage = Pick<Image, 'id' | 'originalName' | 'mediaType'>;

/** Gives each image a name that all common file systems take, and no other image of the folder has. */
export class ExportNames {
  private readonly taken = new Set<string>();

  /** @param taken names of other images */
  constructor(taken: Iterable<string>) {
    for (const name of taken) this.taken.add(fold(name));
  }

  /** Called again for an image, it gives another name. */
  take(image: NamedImage): string {
    const name = safeName(image);
    const dot = name.lastIndexOf('.');
    const [base, extension] = [name.slice(0, dot), name.slice(dot)];
    for (let attempt = 0; ; attempt += 1) {
      const number =
        attempt === 0 ? '' : ` (${[image.id, attempt - 1].filter((part) => part > 0).join('-')})`;
      const candidate = `${base}${number}${extension}`;
      if (this.taken.has(fold(candidate))) continue;
      this.taken.add(fold(candidate));
      return candidate;
    }
  }
}

/** Has an extension of its type. */
function safeName({ originalName, mediaType }: Omit<NamedImage, 'id'>): string {
  const clean = originalName.normalize('NFC').replace(/[\p{Cc}\p{Cs}<>:"/\\|?*]/gu, '_');
  const [usual] = EXTENSIONS[mediaType];
  const found = EXTENSIONS[mediaType].find((extension) => clean.toLowerCase().endsWith(`.${extension}`));
  const dot = found === undefined ? clean.length : clean.length - found.length - 1;
  // Windows removes dots and spaces at the end; names with a dot in front are hidden.
  const base = cutToBytes(clean.slice(0, dot), MAX_BYTES)
    .replace(/[. ]+$/, '')
    .replace(/^[. ]+/, '_');
  const written = clean.slice(dot) || `.${usual}`;
  const name = `${base === '' ? 'image' : base}${written}`;
  return DEVICE.test(name) || RESERVED.has(name.toLowerCase()) ? `_${name}` : name;
}

/** Equal for names that some file system takes for the same. */
function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}
