import type { InputFormat } from '../base/media-types.ts';

/** `heic`: what phones can convert; `other`: nothing that the service takes. */
export type FileKind = 'picture' | 'heic' | 'other';

/** Of the first twelve bytes, as the service knows them. */
const SIGNATURES: Readonly<Record<InputFormat, (head: string) => boolean>> = {
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  webp: (head) => head.startsWith('RIFF') && head.endsWith('WEBP'),
  gif: (head) => head.startsWith('GIF87a') || head.startsWith('GIF89a'),
};

/** An ISO base media file: the size of a box, `ftyp`, the brand. */
const HEIC = /^[^]{4}ftyp(?:hei[cxms]|hevc|m[is]f1)/;

/** Finds the kind from the first bytes, as the service does. Rejects if the file cannot be read. */
export async function kindOf(file: Blob, accepted: readonly InputFormat[]): Promise<FileKind> {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 12).arrayBuffer()));
  if (accepted.some((format) => SIGNATURES[format](head))) return 'picture';
  return HEIC.test(head) ? 'heic' : 'other';
}
