import { closeSync, fstatSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { inMemory, type OpenedBlob } from '../../domain/ports/readable-bytes.ts';
import { type FileState, isSame } from './file-state.ts';
import {
  type OnOpen,
  openIfThere,
  READ_WHOLE_BYTES,
  readInto,
  readWhole,
  streamBlob,
} from './open-blob-file.ts';

/** Zeros, whose checksum may be zero, are no seal. Changes with the file format. */
const MARK = Buffer.from('ICR1', 'latin1');

const SEAL_BYTES = 8;

const MAX_VERIFIED = 1_000;

/** The mark, and the CRC-32 of all bytes before it. */
export function sealOf(bytes: Uint8Array): Buffer {
  return sealWith(crc32(bytes));
}

function sealWith(checksum: number): Buffer {
  const seal = Buffer.alloc(SEAL_BYTES);
  MARK.copy(seal);
  seal.writeUInt32BE(checksum, MARK.length);
  return seal;
}

export class SealedFiles {
  private readonly verified = new LRUCache<string, FileState>({ max: MAX_VERIFIED });

  /**
   * Removes a file that does not match its seal: it was cut off or changed, or a power cut lost blocks. A large file is read
   * before it is streamed, unless unchanged since the last time.
   */
  async open(path: string, onOpen: OnOpen): Promise<OpenedBlob | undefined> {
    const file = await openIfThere(path);
    if (file === undefined) return undefined;
    let opened: OpenedBlob | undefined;
    try {
      const stats = fstatSync(file);
      await onOpen(file, stats);
      opened = await this.openSealed(path, file, stats);
    } finally {
      // A stream closes the file itself.
      if (opened === undefined || opened.buffered !== undefined) closeSync(file);
    }
    if (opened === undefined) await rm(path, { force: true });
    return opened;
  }

  private async openSealed(path: string, file: number, stats: Stats): Promise<OpenedBlob | undefined> {
    const size = stats.size - SEAL_BYTES;
    if (size <= READ_WHOLE_BYTES) return unseal(await readWhole(file, 0, stats.size));
    if (!isSame(this.verified.get(path), stats)) {
      const seal = await readWhole(file, size, SEAL_BYTES);
      if (!sealWith(await checksumOf(file, size)).equals(seal)) return undefined;
      this.verified.set(path, { ino: stats.ino, size: stats.size, ctimeMs: stats.ctimeMs });
    }
    return { ...streamBlob(path, file, 0, size - 1), size };
  }
}

function unseal(sealed: Uint8Array): OpenedBlob | undefined {
  if (sealed.length < SEAL_BYTES) return undefined;
  const bytes = sealed.subarray(0, -SEAL_BYTES);
  return sealOf(bytes).equals(sealed.subarray(-SEAL_BYTES)) ? inMemory(bytes) : undefined;
}

/** Read in pieces: a rendition may have tens of megabytes. */
async function checksumOf(file: number, length: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(READ_WHOLE_BYTES);
  let checksum = 0;
  for (let position = 0; position < length; ) {
    const wanted = buffer.subarray(0, Math.min(buffer.length, length - position));
    const piece = await readInto(file, wanted, position);
    if (piece.length === 0) break;
    checksum = crc32(piece, checksum);
    position += piece.length;
  }
  return checksum;
}
