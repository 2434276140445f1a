import { createHash } from 'node:crypto';
import { FileTooLarge, StorageUnavailable } from '../../../src/domain/errors.ts';
import { SIGNATURE_BYTES } from '../../../src/domain/image/media-type-of.ts';
import type {
  OrphanedFiles,
  StagedFile,
  StagingArea,
  StagingLimits,
} from '../../../src/domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import { concatenated, streamOf } from '../fixtures/bytes.ts';
import { type Calls, UNINTERRUPTED } from './calls.ts';

interface Entry {
  readonly name: string;
  readonly owner: string;
  readonly modified: Date;
}

export class InMemoryStagingArea implements StagingArea {
  /** Orphaned files that a test has added. */
  readonly leftovers = new Set<string>();
  /** Foreign names that a test has added. */
  readonly foreign: string[] = [];
  readonly #files = new Map<StagedFile, Entry>();
  #received = 0;

  constructor(
    private readonly clock: Clock = { now: () => new Date() },
    private readonly calls: Calls = UNINTERRUPTED,
  ) {}

  get fileCount(): number {
    return this.#files.size;
  }

  async receive(bytes: AsyncIterable<Uint8Array>, limits: StagingLimits): Promise<StagedFile> {
    const { process: owner } = this.calls.begin();
    const file = this.#stage(await received(bytes, limits));
    this.#received += 1;
    this.#files.set(file, { name: `${owner}-${this.#received}`, owner, modified: this.clock.now() });
    return file;
  }

  async findOrphans(unseenBefore: Date): Promise<OrphanedFiles> {
    const { process: self } = this.calls.begin();
    const left = [...this.#files.values()].filter(({ owner, modified }) => {
      if (owner === self || this.calls.isRunning(owner)) return false;
      return this.calls.isGone(owner) || modified < unseenBefore;
    });
    return { names: [...this.leftovers, ...left.map(({ name }) => name)], foreign: [...this.foreign] };
  }

  async removeOrphan(name: string): Promise<void> {
    this.leftovers.delete(name);
    for (const [file, entry] of this.#files) if (entry.name === name) this.#files.delete(file);
  }

  #stage(bytes: Uint8Array): StagedFile {
    const files = this.#files;
    return {
      size: bytes.byteLength,
      sha256: createHash('sha256').update(bytes).digest('hex'),
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
