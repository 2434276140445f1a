import { UnsupportedMediaType } from '../../../domain/errors.ts';
import type { FileKind } from '../../../domain/image/file-kind.ts';
import { fileKindOf } from '../../../domain/image/file-kind-of.ts';
import { formatOf } from '../../../domain/image/format-of.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import { mediaTypeOf } from '../../../domain/image/media-type-of.ts';
import { inMemory } from '../../../domain/ports/bytes/readable-bytes.ts';
import type { ImportJournal, JournalEntry } from '../../../domain/ports/commands/import-journal.ts';
import {
  FileUnreadable,
  type FoundFile,
  type ImportSource,
} from '../../../domain/ports/commands/import-source.ts';
import {
  ImportError,
  type ImportedImage,
  type ImportMetadata,
  type ImportTarget,
} from '../../../domain/ports/commands/import-target.ts';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import { mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { batchesOf } from '../batches-of.ts';
import { readAhead } from '../read-ahead.ts';

/** Files that are hashed together and looked up in one request. */
const BATCH_SIZE = 100;

/** Files that are looked up before they are uploaded. */
const AHEAD = 2 * BATCH_SIZE;

/** Digests of uploads, of which a twin in a batch that was looked up before may still come. */
const REMEMBERED_UPLOADS = 10 * AHEAD;

/** Keys of one file. A service that says of each that its image was deleted is not one of this project. */
const MAX_KEYS = 100;

/** The journal does not keep this refusal of a type that the catalog may take at another time. */
const UNSUPPORTED = 'unsupported_media_type';

/** Codes of refusals for what is in the file. The catalog may take back the others. */
const OF_THE_FILE: ReadonlySet<string> = new Set([
  'file_required',
  'file_too_large',
  'invalid_image',
  UNSUPPORTED,
]);

export type FileOutcome = { readonly path: string } & (
  | { readonly outcome: 'present'; readonly id: number | undefined }
  | { readonly outcome: 'created'; readonly id: number | undefined; readonly flaw?: string | undefined }
  | ({ readonly outcome: 'refused' } & FileRefusal)
  | { readonly outcome: 'failed'; readonly code: string; readonly message: string }
);

interface FileRefusal extends Pick<ImportError, 'code' | 'message'> {
  /** Of a file that is refused for its type. */
  readonly kind?: FileKind | undefined;
}

export interface ImportReport {
  /** The sum of `created`, `present`, `refused` and `failed`. */
  found: number;
  /** Those that would be created, with `dryRun`. */
  created: number;
  /** The created ones of an export that an upload would refuse: image data is missing, or they have no clean original. */
  flawed: number;
  /** The catalog has the bytes, from this import or not. */
  present: number;
  refused: number;
  /** Those that were refused for their type, by what their first bytes tell them to be. */
  readonly refusedKinds: Partial<Record<FileKind, number>>;
  /** The refused ones, by code, that a later run may upload: they were not refused for what is in the file. */
  readonly refusedForNow: Record<string, number>;
  failed: number;
  /** Links, hidden and system files, and what the caller excludes. A folder counts once. */
  skipped: number;
  /** The sum over the created images. */
  bytes: number;
}

export interface ImportPlan {
  /** Uploads nothing. */
  readonly dryRun: boolean;
  /** Uploads at a time at most. */
  readonly jobs: number;
  /** Files of other types are not sent. */
  readonly accepted: readonly MediaType[];
  /** What the image is called, and what is said about it; its own name and nothing unless given. */
  readonly describe: (path: string) => FileDescription;
  readonly stopped: Cancellation;
  readonly onOutcome: (outcome: FileOutcome, report: Readonly<ImportReport>) => void;
}

export interface FileDescription {
  readonly name: string;
  /** A catalog has accepted the file before. */
  readonly isExported: boolean;
  readonly metadata?: ImportMetadata | undefined;
}

interface HashedFile extends FoundFile {
  readonly sha256: string;
  readonly kind: FileKind;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Every file gets exactly one outcome. A process that is killed loses nothing: the next run looks up what it does not find in
 * the journal, and uploads the rest under the same keys.
 */
export class ImportFolder {
  /** What has an outcome so far. */
  readonly report: ImportReport = {
    found: 0,
    created: 0,
    flawed: 0,
    present: 0,
    refused: 0,
    refusedKinds: {},
    refusedForNow: {},
    failed: 0,
    skipped: 0,
    bytes: 0,
  };
  /** The image of each digest that is or was uploaded; `undefined` if the upload has failed. */
  private readonly uploads = new Map<string, Promise<ImportedImage | undefined>>();

  constructor(
    private readonly source: ImportSource,
    private readonly target: ImportTarget,
    private readonly journal: ImportJournal,
    private readonly plan: ImportPlan,
  ) {}

  /**
   * Called once.
   *
   * @throws the reason of `plan.stopped`
   */
  async execute(): Promise<Readonly<ImportReport>> {
    const missing = readAhead(this.missing(), AHEAD);
    const uploading = async (): Promise<void> => {
      for await (const file of missing) await this.upload(file);
    };
    try {
      await Promise.all(Array.from({ length: this.plan.jobs }, uploading));
    } finally {
      await missing.return();
    }
    return this.report;
  }

  /** Files whose bytes the catalog has not. The others get their outcome. */
  private async *missing(): AsyncGenerator<HashedFile, void, undefined> {
    for await (const batch of batchesOf(this.changed(), BATCH_SIZE)) {
      const hashed = await mapConcurrently(batch, this.plan.jobs, (file) => this.hash(file));
      yield* await this.lookUp(hashed.filter((file) => file !== undefined));
    }
  }

  /** Files of which the journal knows nothing. */
  private async *changed(): AsyncGenerator<FoundFile, void, undefined> {
    for await (const entry of this.source.walk()) {
      this.plan.stopped.throwIfAborted();
      if (entry.kind === 'skipped') this.report.skipped += 1;
      else if (entry.kind === 'unreadable') this.settle(failure(entry.path, entry.code));
      else {
        const known = this.journal.find(entry.file);
        if (known === undefined) yield entry.file;
        else this.settle(outcomeOf(known));
      }
    }
  }

  private async hash(file: FoundFile): Promise<HashedFile | undefined> {
    try {
      const { sha256, head, bytes } = await this.source.digest(file);
      const mediaType = mediaTypeOf(head);
      const { accepted } = this.plan;
      if (mediaType !== undefined && accepted.includes(mediaType)) {
        return { ...file, sha256, kind: formatOf(mediaType), bytes };
      }
      const refusal = notAccepted(file, head, accepted);
      if (mediaType === undefined) this.refuse(file, refusal);
      else this.settle({ path: file.path, outcome: 'refused', ...refusal });
    } catch (error) {
      if (!(error instanceof FileUnreadable)) throw error;
      this.settle(failure(file.path, error.code));
    }
    return undefined;
  }

  private async lookUp(files: readonly HashedFile[]): Promise<readonly HashedFile[]> {
    if (files.length === 0) return [];
    try {
      const found = await this.target.lookUp(
        [...new Set(files.map(({ sha256 }) => sha256))],
        this.plan.stopped,
      );
      for (const file of files) {
        const [id] = found.get(file.sha256) ?? [];
        if (id !== undefined) this.conclude(file, { outcome: 'present', id });
      }
      return files.filter(({ sha256 }) => !found.has(sha256));
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
      for (const { path } of files) this.settle(failure(path, error.code, error.message));
      return [];
    }
  }

  private async upload(file: HashedFile): Promise<void> {
    const twin = this.uploads.get(file.sha256);
    const image = twin && (await twin);
    if (image !== undefined) return this.conclude(file, { outcome: 'present', id: image.id });
    if (this.plan.dryRun) return this.pretend(file);
    const uploaded = this.send(file);
    this.remember(
      file.sha256,
      uploaded.catch(() => undefined),
    );
    try {
      this.conclude(file, { outcome: 'created', ...(await uploaded) });
      this.report.bytes += file.size;
    } catch (error) {
      this.explain(file, error);
    }
  }

  private pretend({ path, sha256, size }: HashedFile): void {
    this.remember(sha256, Promise.resolve({ id: 0 }));
    this.report.bytes += size;
    this.settle({ path, outcome: 'created', id: undefined });
  }

  /** A key whose image was deleted cannot be used again: the next one is tried. */
  private async send(file: HashedFile): Promise<ImportedImage> {
    const { path, sha256, bytes } = file;
    const size = bytes?.length ?? file.size;
    const { describe, stopped } = this.plan;
    const described = describe(path);
    for (let attempt = 1; ; attempt += 1) {
      const idempotencyKey = attempt === 1 ? `import-${sha256}` : `import-${sha256}-${attempt}`;
      const read = (): AsyncIterable<Uint8Array> =>
        bytes === undefined ? this.source.read(file) : inMemory(bytes).read();
      try {
        const upload = { ...described, metadata: described.metadata, size, sha256, idempotencyKey, read };
        return await this.target.upload(upload, stopped);
      } catch (error) {
        const isUsed = error instanceof ImportError && error.code === 'image_not_found';
        if (!isUsed || attempt === MAX_KEYS) throw error;
      }
    }
  }

  private remember(sha256: string, image: Promise<ImportedImage | undefined>): void {
    this.uploads.set(sha256, image);
    const [oldest] = this.uploads.size > REMEMBERED_UPLOADS ? this.uploads.keys() : [];
    if (oldest !== undefined) this.uploads.delete(oldest);
  }

  private explain(file: HashedFile, error: unknown): void {
    if (error instanceof FileUnreadable) return this.settle(failure(file.path, error.code));
    if (!(error instanceof ImportError)) throw error;
    const { path } = file;
    const { code, message } = error;
    const kind = code === UNSUPPORTED ? file.kind : undefined;
    const isOfTheFile = OF_THE_FILE.has(code) && code !== UNSUPPORTED;
    if (error.isRefusal && isOfTheFile) return this.refuse(file, error);
    this.settle(
      error.isRefusal ? { path, outcome: 'refused', code, message, kind } : failure(path, code, message),
    );
  }

  private refuse({ path, size, modifiedMs }: FoundFile, { code, message, kind }: FileRefusal): void {
    if (!this.plan.dryRun) this.journal.add({ path, size, modifiedMs, outcome: 'refused', code, kind });
    this.settle({ path, outcome: 'refused', code, message, kind });
  }

  private conclude(
    { path, size, modifiedMs }: FoundFile,
    { outcome, id, flaw }: ImportedImage & { readonly outcome: 'created' | 'present' },
  ): void {
    if (!this.plan.dryRun) this.journal.add({ path, size, modifiedMs, outcome, id });
    if (flaw !== undefined) this.report.flawed += 1;
    this.settle({ path, outcome, id, flaw });
  }

  private settle(outcome: FileOutcome): void {
    this.report.found += 1;
    this.report[outcome.outcome] += 1;
    if (outcome.outcome === 'refused') this.countRefusal(outcome);
    this.plan.onOutcome(outcome, this.report);
  }

  private countRefusal({ code, kind }: FileRefusal): void {
    const { refusedForNow, refusedKinds } = this.report;
    if (kind !== undefined) refusedKinds[kind] = (refusedKinds[kind] ?? 0) + 1;
    if (!OF_THE_FILE.has(code)) refusedForNow[code] = (refusedForNow[code] ?? 0) + 1;
  }
}

/** What an earlier run has created is present in this one. */
function outcomeOf(known: JournalEntry): FileOutcome {
  const { path } = known;
  if (known.outcome !== 'refused') return { path, outcome: 'present', id: known.id };
  const { outcome, code, kind } = known;
  return { path, outcome, code, message: 'Refused by an earlier run', kind };
}

function failure(path: string, code: string, message = 'The file cannot be read'): FileOutcome {
  return { path, outcome: 'failed', code, message };
}

/** The codes are those of the service, which is not asked. */
function notAccepted({ size }: FoundFile, head: Uint8Array, accepted: readonly MediaType[]): FileRefusal {
  if (size === 0) return { code: 'file_required', message: 'The file is empty' };
  const { code, message, kind } = new UnsupportedMediaType(fileKindOf(head), accepted);
  return { code, message, kind };
}
