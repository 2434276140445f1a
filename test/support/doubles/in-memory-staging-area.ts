import { createHash } from 'node:crypto';
import { FileTooLarge, StorageUnavailable } from '../../../src/domain/errors.ts';
import { SIGNATURE_BYTES } from '../../../src/domain/image/media-type.ts';
import type {
  Leftovers,
  StagedFile,
  StagingArea,
  StagingLimits,
} from '../../../src/domain/ports/staging-area.ts';
import { concatenated, streamOf } from '../fixtures/bytes.ts';

export class InMemoryStagingArea implements StagingArea {
  /** Orphaned files that a test has added: memory itself does not survive its process. */
  readonly leftovers = new Set<string>();
  /** Foreign names that a test has added. */
  readonly foreign: string[] = [];
  readonly #files = new Set<StagedFile>();

  get fileCount(): number {
    return this.#files.size;
  }

  async receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile> {
    const file = this.#stage(await received(bytes, limits));
    this.#files.add(file);
    return file;
  }

  async findLeftovers(_unseenBefore: Date): Promise<Leftovers> {
    return { names: [...this.leftovers], foreign: [...this.foreign] };
  }

  async removeLeftover(name: string): Promise<void> {
    this.leftovers.delete(name);
  }

  #stage(bytes: Uint8Array): StagedFile {
    const files = this.#files;
    return {
      size: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      head: bytes.slice(0, SIGNATURE_BYTES),
      async *read() {
        if (!files.has(this)) throw new StorageUnavailable();
        yield* streamOf(bytes);
      },
      async discard() {
        files.delete(this);
      },
    };
  }
}

async function received(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isHeadChecked = false;
  for await (const chunk of bytes) {
    chunks.push(Uint8Array.from(chunk));
    size += chunk.byteLength;
    if (size > limits.maxBytes) throw new FileTooLarge(limits.maxBytes);
    if (isHeadChecked || size < SIGNATURE_BYTES) continue;
    limits.checkHead(concatenated(chunks));
    isHeadChecked = true;
  }
  if (!isHeadChecked && size > 0) limits.checkHead(concatenated(chunks));
  return concatenated(chunks);
}
