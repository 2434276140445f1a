import { crc32 } from 'node:zlib';
import type { FileRange } from './file-range.ts';

const TYPE_BYTES = 4;
/** The second letter of a private type is small (W3C PNG, 5.4). */
const PRIVATE_BIT = 0x20;

/** Gives the chunk of a PNG with this content a private type, which no decoder knows. */
export function hideChunk(file: Buffer, range: FileRange): void {
  const secondLetter = range.start - TYPE_BYTES + 1;
  file[secondLetter] = (file[secondLetter] as number) | PRIVATE_BIT;
  updateCrc(file, range);
}

/** Makes the checksum of the chunk with this content right again. */
export function updateCrc(file: Buffer, { start, end }: FileRange): void {
  file.writeUInt32BE(crc32(file.subarray(start - TYPE_BYTES, end)), end);
}
