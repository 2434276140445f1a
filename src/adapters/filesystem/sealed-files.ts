import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { type FileState, isSameState } from './file-state.ts';
import { OpenFile, READ_WHOLE_BYTES } from './open-file.ts';

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
   * before it is streamed, unless it is unchanged since the last time.
   *
   * @param onOpen awaited before the file is read
   */
  async open(
    path: string,
    onOpen: (file: OpenFile) => Promise<void> | undefined,
  ): Promise<OpenedBlob | undefined> {
    const file = await OpenFile.open(path);
    if (file === undefined) return undefined;
    let opened: OpenedBlob | undefined;
    try {
      await onOpen(file);
      opened = await this.openSealed(path, file);
    } finally {
      file.close();
    }
    if (opened === undefined) await rm(path, { force: true });
    return opened;
  }

  private async openSealed(path: string, file: OpenFile): Promise<OpenedBlob | undefined> {
    const { stats } = file;
    const size = stats.size - SEAL_BYTES;
    if (size <= READ_WHOLE_BYTES) return unsealed(await file.read(0, stats.size));
    if (!isSameState(this.verified.get(path), stats)) {
      const seal = await file.read(size, SEAL_BYTES);
      if (!sealWith(await checksumOf(file, size)).equals(seal)) return undefined;
      this.verified.set(path, stats);
    }
    return { ...file.stream(0, size - 1), size };
  }
}

function unsealed(sealed: Uint8Array): OpenedBlob | undefined {
  const bytes = sealed.subarray(0, -SEAL_BYTES);
  return sealOf(bytes).equals(sealed.subarray(-SEAL_BYTES)) ? inMemory(bytes) : undefined;
}

/** Read in pieces: a rendition may have tens of megabytes. */
async function checksumOf(file: OpenFile, length: number): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(READ_WHOLE_BYTES);
  let checksum = 0;
  for (let position = 0; position < length; ) {
    const piece = await file.read(position, Math.min(buffer.length, length - position), buffer);
    if (piece.length === 0) break;
    checksum = crc32(piece, checksum);
    position += piece.length;
  }
  return checksum;
}
