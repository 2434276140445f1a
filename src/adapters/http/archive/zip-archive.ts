import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Archive } from '../../../application/files/archive-images.ts';
import type { EntryTime } from '../../../domain/archive/entry-time.ts';
import type { CatalogImage } from '../../../domain/image/image.ts';
import { readableOf } from '../bytes/serve-image-file.ts';
import { ZipDate } from './zip-date.ts';
import { type ZipEntry, zipLength } from './zip-length.ts';

/** Lists the ids of no image, one per line. */
const MISSING_NAME = 'missing.txt';

export interface ZipBody {
  /** Bytes of the whole file. */
  readonly length: number;
  /** Fails if the file does not become whole. Destroying it ends the reading. */
  readonly stream: Readable;
}

/** A ZIP file whose length is known before its bytes. One original is open at a time. */
export function zipArchive(archive: Archive): ZipBody {
  const { ids, entries, madeAt } = archive;
  const files = entries.map(({ name, image: { size }, time }) => zipEntry(name, size, time));
  const list = listOf(ids, new Set(entries.map(({ image }) => image.id)));
  const length = zipLength(list === '' ? files : [...files, zipEntry(MISSING_NAME, list.length, madeAt)]);
  const writer = new ZipWriter(length);
  void writer.write(archive, files);
  return { length, stream: writer.stream };
}

/** The bytes of an image could not become its entry. The log names the image. */
class EntryNotWritten extends Error {
  readonly imageId: number;
  readonly blobKey: string;

  constructor({ id, uuid }: CatalogImage, cause: unknown) {
    super(`The archive cannot have the bytes of image ${id}`, { cause });
    this.imageId = id;
    this.blobKey = uuid;
  }
}

class ZipWriter {
  private readonly zip = new ZipFile();
  private current: CatalogImage | undefined;
  private readonly leaving = new AbortController();
  private readonly written: ZipEntry[] = [];
  readonly stream = bodyOf(this.zip);

  /** @param length as promised, in bytes */
  constructor(private readonly length: number) {
    this.stream.once('close', () => this.leaving.abort());
    // An original of another length than its record.
    this.zip.on('error', (error: Error) => this.fail(error));
  }

  /** Never rejects. */
  async write(archive: Archive, files: readonly ZipEntry[]): Promise<void> {
    try {
      const included = await this.addFiles(archive, files);
      this.addMissing(listOf(archive.ids, included), archive.madeAt);
    } catch (error) {
      this.fail(error as Error);
    }
  }

  private fail(error: Error): void {
    this.stream.destroy(this.current === undefined ? error : new EntryNotWritten(this.current, error));
  }

  /** Resolves to the ids of the images that were still there. */
  private async addFiles(
    { entries, first, open }: Archive,
    files: readonly ZipEntry[],
  ): Promise<ReadonlySet<number>> {
    const included = new Set<number>();
    for (const [at, { image }] of entries.entries()) {
      this.current = image;
      const [file, blob] = [files[at], at === 0 ? first : await open(image)];
      if (file === undefined || blob === undefined) continue;
      await this.add(file, readableOf(blob, image.size));
      included.add(image.id);
    }
    this.current = undefined;
    return included;
  }

  /** Resolves when the source is read. */
  private async add(file: ZipEntry, original: Readable): Promise<void> {
    const source = pipeline(original, sizeLimit(file.options.size), () => {});
    try {
      this.leaving.signal.throwIfAborted();
      this.zip.addReadStream(source, file.name, file.options);
      this.written.push(file);
      await finished(source, { signal: this.leaving.signal });
    } finally {
      source.destroy();
    }
  }

  /** Ends the file. */
  private addMissing(list: string, time: EntryTime): void {
    if (list === '') return this.zip.end();
    const { name, options } = this.fillingEntry(list.length, time);
    this.zip.addReadStream(Readable.from(linesOf(list, options.size)), name, options);
    this.zip.end({ forceZip64Format: options.forceZip64Format, comment: '' });
  }

  /**
   * Images that were deleted meanwhile would make the file shorter than promised: blank lines behind the ids take their place. These
   * may be what makes the file need the fields of ZIP64: then they are fewer by the length of these. With fewer, it may need them no
   * more: then it has them by force.
   *
   * @param minSize of the ids, in bytes
   */
  private fillingEntry(minSize: number, time: EntryTime): ZipEntry {
    for (const isForced of [false, true]) {
      const entryOf = (size: number): ZipEntry => zipEntry(MISSING_NAME, size, time, isForced);
      const left = (size: number): number => this.length - zipLength([...this.written, entryOf(size)]);
      const size = left(0) + left(left(0));
      if (size >= minSize && left(size) === 0) return entryOf(size);
    }
    throw new Error('The archive cannot have the length that was promised');
  }
}

/** More bytes than promised would be those of the next response on the connection. */
function sizeLimit(size: number): Transform {
  let left = size;
  return new Transform({
    transform(chunk: Buffer, _, done): void {
      left -= chunk.length;
      if (left < 0) done(new Error('An original is longer than its record'));
      else done(null, chunk);
    },
  });
}

function bodyOf({ outputStream }: ZipFile): Readable {
  if (outputStream instanceof PassThrough) return outputStream;
  throw new TypeError('The output is no stream of this runtime');
}

/** Ids that are not included, in the order of the request. */
function listOf(ids: readonly number[], included: ReadonlySet<number>): string {
  return ids
    .filter((id) => !included.has(id))
    .map((id) => `${id}\n`)
    .join('');
}

const BLANK_LINES = Buffer.alloc(64 * 1024, '\n');

/** @param size bytes, at least those of the list */
function* linesOf(list: string, size: number): Generator<Buffer, void, undefined> {
  yield Buffer.from(list);
  for (let left = size - list.length; left > 0; left -= BLANK_LINES.length) {
    yield BLANK_LINES.subarray(0, left);
  }
}

/** The other field for times ends in January 2038. */
const MAX_INSTANT = 0x7fff_ffff * 1000;

/** @param size bytes */
function zipEntry(name: string, size: number, time: EntryTime, forceZip64Format = false): ZipEntry {
  const forceDosTimestamp = time.instant > MAX_INSTANT;
  return {
    name,
    options: { size, mtime: new ZipDate(time), forceDosTimestamp, forceZip64Format, compress: false },
  };
}
