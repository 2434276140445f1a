import { createHash } from 'node:crypto';
import type { ImportJournal, JournalEntry } from '../../../src/domain/ports/commands/import-journal.ts';
import type {
  FileDigest,
  FoundFile,
  ImportSource,
  WalkEntry,
} from '../../../src/domain/ports/commands/import-source.ts';
import type {
  ImportedImage,
  ImportTarget,
  ImportUpload,
} from '../../../src/domain/ports/commands/import-target.ts';

/** A folder of files that a test changes. */
export class InMemoryFolder implements ImportSource {
  readonly files = new Map<string, Uint8Array>();
  readonly others: WalkEntry[] = [];
  /** Files that were read to be hashed. */
  digested = 0;

  async *walk(): AsyncGenerator<WalkEntry, void, undefined> {
    yield* this.others;
    for (const [path, { length }] of this.files) {
      yield { kind: 'file', file: { path, size: length, modifiedMs: 1 } };
    }
  }

  async digest({ path }: FoundFile): Promise<FileDigest> {
    this.digested += 1;
    const bytes = this.files.get(path) ?? new Uint8Array();
    return { sha256: createHash('sha256').update(bytes).digest('hex'), head: bytes };
  }

  async *read({ path }: FoundFile): AsyncGenerator<Uint8Array, void, undefined> {
    yield this.files.get(path) ?? new Uint8Array();
  }
}

/** A catalog in which each key leads to one image. */
export class InMemoryCatalog implements ImportTarget {
  readonly images = new Map<number, ImportUpload>();
  readonly uploads: ImportUpload[] = [];
  lookUps = 0;
  /** What it finds wrong with the files of an export. */
  flaw: string | undefined;
  /** Called before an upload has any effect; may throw. */
  beforeUpload: (upload: ImportUpload) => Promise<void> | void = () => undefined;
  /** Called when the image is there, before the client knows; may throw. */
  afterUpload: (upload: ImportUpload) => Promise<void> | void = () => undefined;

  async lookUp(digests: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    this.lookUps += 1;
    const found = [...this.images].filter(([, { sha256 }]) => digests.includes(sha256));
    return new Map(found.map(([id, { sha256 }]) => [sha256, [id]]));
  }

  async upload(upload: ImportUpload): Promise<ImportedImage> {
    this.uploads.push(upload);
    await this.beforeUpload(upload);
    const [replayed] =
      [...this.images].find(([, image]) => image.idempotencyKey === upload.idempotencyKey) ?? [];
    const id = replayed ?? this.images.size + 1;
    this.images.set(id, upload);
    await this.afterUpload(upload);
    return { id, flaw: this.flaw };
  }
}

export class InMemoryJournal implements ImportJournal {
  readonly entries = new Map<string, JournalEntry>();

  find({ path, size, modifiedMs }: FoundFile): JournalEntry | undefined {
    const entry = this.entries.get(path);
    return entry?.size === size && entry.modifiedMs === modifiedMs ? entry : undefined;
  }

  add(entry: JournalEntry): void {
    this.entries.set(entry.path, entry);
  }
}
