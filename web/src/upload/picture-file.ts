export type FileKind = 'picture' | 'heic' | 'other';

const JPEG = [0xff, 0xd8, 0xff];
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const HEIC_BRANDS: ReadonlySet<string> = new Set(['heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1']);

/** Finds the kind from the first bytes, as the service does. Rejects if the file cannot be read. */
export async function kindOf(file: Blob): Promise<FileKind> {
  const head = new Uint8Array(await file.slice(0, 12).arrayBuffer());
  if (beginsWith(head, JPEG) || beginsWith(head, PNG)) return 'picture';
  return isHeic(head) ? 'heic' : 'other';
}

/** Files that systems put into folders: `.DS_Store`, `._cat.jpg`, `Thumbs.db`, `desktop.ini`. */
export function isSystemFile(name: string): boolean {
  return name.startsWith('.') || /^(thumbs\.db|ehthumbs\.db|desktop\.ini)$/i.test(name);
}

function beginsWith(head: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => head[index] === byte);
}

/** An ISO base media file: the size of a box, `ftyp`, the brand. */
function isHeic(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(4, 12));
  return text.startsWith('ftyp') && HEIC_BRANDS.has(text.slice(4));
}
