import { fstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { ByteRange } from '../../domain/ports/bytes/blob-store.ts';
import { inMemory, type OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import { type FileState, isSameState } from './file-state.ts';
import { OpenFile, READ_WHOLE_BYTES } from './open-file.ts';

/** Zeros, whose checksum may be zero, are no seal. Changes with the file format. */
const MARK = Buffer.from('ICR1', 'latin1');

const SEAL_BYTES = 8;

const MAX_VERIFIED = 10_000;

/** The mark, and the CRC-32 of all bytes before it. */
export function sealOf(bytes: Uint8Array): Buffer {
  return sealWith(crc32(bytes));
}

export function sealWith(checksum: number): Buffer {
  const seal = Buffer.alloc(SEAL_BYTES);
  MARK.copy(seal);
  seal.writeUInt32BE(checksum, MARK.length);
  return seal;
}

interface FoundFile {
  readonly file: OpenFile;
  readonly state: FileState;
}

export class SealedFiles {
  private readonly verified = new LRUCache<string, FileState>({ max: MAX_VERIFIED });
  /** By path: a file is read once for all that open it at the same time. */
  private readonly verifying = new Map<string, Promise<boolean>>();

  /** For a file that this process has just written. */
  trust(path: string, { ino, size, ctimeMs }: FileState): void {
    if (size - SEAL_BYTES > READ_WHOLE_BYTES) this.verified.set(path, { ino, size, ctimeMs });
  }

  /**
   * Removes a file that does not match its seal: it was cut off or changed, or a power cut lost blocks. A large file is read
   * before it is streamed, unless it is unchanged since the last time.
   *
   * @param onOpen awaited before the file is read
   */
  async open(
    path: string,
    onOpen: (file: OpenFile) => Promise<void> | undefined,
    range?: ByteRange,
  ): Promise<OpenedBlob | undefined> {
    const file = await OpenFile.open(path);
    if (file === undefined) return undefined;
    let opened: OpenedBlob | undefined;
    try {
      const isTrusted = isSameState(this.verified.get(path), file.stats);
      await onOpen(file);
      // What is done on opening may change the state: noting the use sets a time.
      const state = fstatSync(file.descriptor);
      if (isTrusted) this.trust(path, state);
      opened = await this.openSealed(path, { file, state }, range);
    } finally {
      file.close();
    }
    if (opened === undefined) await rm(path, { force: true });
    return opened;
  }

  private async openSealed(
    path: string,
    found: FoundFile,
    range: ByteRange | undefined,
  ): Promise<OpenedBlob | undefined> {
    const { file, state } = found;
    const size = state.size - SEAL_BYTES;
    if (size <= READ_WHOLE_BYTES) return unsealed(await file.read(0, state.size), range);
    const isTrusted = isSameState(this.verified.get(path), state);
    if (!isTrusted && !(await this.verifyOnce(path, found))) return undefined;
    const { start, end } = range ?? { start: 0, end: size - 1 };
    return { ...file.stream(start, end), size };
  }

  private async verifyOnce(path: string, found: FoundFile): Promise<boolean> {
    const { ino, size, ctimeMs } = found.state;
    const key = `${path} ${ino} ${size} ${ctimeMs}`;
    const running = this.verifying.get(key);
    if (running !== undefined) return await running;
    const verifying = this.verify(path, found).finally(() => this.verifying.delete(key));
    this.verifying.set(key, verifying);
    return await verifying;
  }

  private async verify(path: string, { file, state }: FoundFile): Promise<boolean> {
    const size = state.size - SEAL_BYTES;
    const seal = await file.read(size, SEAL_BYTES);
    const isWhole = sealWith(await checksumOf(file, size)).equals(seal);
    if (isWhole) this.trust(path, state);
    return isWhole;
  }
}

function unsealed(sealed: Uint8Array, range: ByteRange | undefined): OpenedBlob | undefined {
  const bytes = sealed.subarray(0, -SEAL_BYTES);
  if (!sealOf(bytes).equals(sealed.subarray(-SEAL_BYTES))) return undefined;
  const part = range === undefined ? bytes : bytes.subarray(range.start, range.end + 1);
  return { ...inMemory(part), size: bytes.length };
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
