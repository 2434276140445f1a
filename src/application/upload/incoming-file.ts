import type { MetadataPatch } from '../../domain/image/image-metadata.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { StagedFile } from '../../domain/ports/bytes/staging-area.ts';
import type { UploadSlot } from './upload-slot.ts';

/** The file of an upload, before it is read. It can be read once, in one of two ways. */
export interface IncomingFile {
  /** Lower-case hex, as its client says. */
  readonly digest?: string | undefined;
  /** Of the body, which has at most `FORM_OVERHEAD_BYTES` besides the file. `undefined` if its client does not say. */
  readonly bodyBytes?: number | undefined;
  /** Whether the connection is gone. */
  readonly isGone: boolean;

  /**
   * Stages it. If it rejects, nothing stays.
   *
   * @throws what refuses the body or the file, by their form, size, first bytes or digest
   */
  receive(slot: ArrivalSlot): Promise<ReceivedFile>;

  /**
   * Reads it without storing it. Resolves to its digest, in lower-case hex.
   *
   * @throws {FileTooLarge} as soon as there are more than `maxBytes`
   * @throws what `receive` throws
   */
  hash(slot: ArrivalSlot, maxBytes: number | undefined): Promise<string>;
}

export type ArrivalSlot = Pick<UploadSlot, 'setArriving'>;

/** Not empty, and of an accepted type by its first bytes. Disposing of it discards the staged file unless it has become a blob. */
export interface ReceivedFile extends AsyncDisposable {
  readonly originalName: string;
  readonly mediaType: MediaType;
  readonly staged: StagedFile;
  /** As `checkPatch` returns it. */
  readonly metadata?: MetadataPatch | undefined;
}

/** What a body may have besides the file. */
export const FORM_OVERHEAD_BYTES = 1024 * 1024;
