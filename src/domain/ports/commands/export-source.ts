import type { Image } from '../../image/image.ts';

/** The record of an image, with all fields that its source knows. */
export type SourceRecord = Pick<Image, 'id' | 'originalName' | 'mediaType' | 'size' | 'sha256'>;

/** Which images are exported. All conditions must hold; a missing one leaves every image. */
export interface ExportFilter {
  /** Exclusive. */
  readonly since?: Date | undefined;
  /** Exactly the `createdBy` of the images. */
  readonly createdBy?: string | undefined;
}

export interface ExportSource {
  /** Yields ascending ids, with what people said about each image, if the source knows it. */
  records(filter: ExportFilter): AsyncIterable<SourceRecord>;

  /** `undefined` if the image was deleted meanwhile. */
  open(record: SourceRecord): Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** A line of the export: the record and the file that holds its bytes. */
export type ExportedLine = SourceRecord & { readonly file: string };

/** A folder of originals and their records. What it has survives a kill of the process. */
export interface ExportSink {
  /** Maps ids to the files that an earlier export has finished, and that are still there in their size. */
  finished(): Promise<ReadonlyMap<number, string>>;

  /** SHA-256 in lower-case hex; empty for what is no regular file, such as a link; `undefined` if nothing has this name. */
  digest(file: string): Promise<string | undefined>;

  /** Keeps the file only if its bytes have the digest: `false` otherwise. When it resolves, the file survives a power cut. */
  write(file: string, bytes: AsyncIterable<Uint8Array>, sha256: string): Promise<boolean>;

  /** When it resolves, the lines survive a power cut. */
  note(lines: readonly ExportedLine[]): Promise<void>;
}
