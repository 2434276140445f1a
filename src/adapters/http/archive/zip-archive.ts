import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type ReadStreamOptions, ZipFile } from 'yazl';
import type { Archive } from '../../../application/files/archive-images.ts';
import type { EntryTime } from '../../../domain/archive/entry-time.ts';
import { readableOf } from '../bytes/serve-image-file.ts';
import { ZipDate } from './zip-date.ts';

/** Lists the ids of no image, one per line. */
const MISSING_NAME = 'missing.txt';

interface ZipEntry {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly time: EntryTime;
}

export interface ZipBody {
  /** Bytes of the whole file. */
  readonly length: number;
  /** Fails if the file does not become whole. Destroying it ends the reading. */
  readonly stream: Readable;
}

/** A ZIP file whose length is known before its bytes. One original is open at a time. */
export function zipArchive(archive: Archive): ZipBody {
  const { ids, entries, madeAt } = archive;
  const files = entries.map(({ name, image: { size }, time }) => ({ name, size, time }));
  const list = listOf(ids, new Set(entries.map(({ image }) => image.id)));
  const length = lengthOf(list === '' ? files : [...files, missingEntry(list.length, madeAt)]);
  const writer = new ZipWriter(length);
  void writer.write(archive, files);
  return { length, stream: writer.stream };
}

class ZipWriter {
  private readonly zip = new ZipFile();
  private readonly leaving = new AbortController();
  private readonly written: ZipEntry[] = [];
  readonly stream = bodyOf(this.zip);

  /** @param length as promised, in bytes */
  constructor(private readonly length: number) {
    this.stream.once('close', () => this.leaving.abort());
    // An original of another length than its record.
    this.zip.on('error', (error: Error) => this.stream.destroy(error));
  }

  /** Never rejects. */
  async write(archive: Archive, files: readonly ZipEntry[]): Promise<void> {
    try {
      const included = await this.addFiles(archive, files);
      this.addMissing(listOf(archive.ids, included), archive.madeAt);
      this.zip.end();
    } catch (error) {
      this.stream.destroy(error as Error);
    }
  }

  /** Resolves to the ids of the images that were still there. */
  private async addFiles(
    { entries, first, open }: Archive,
    files: readonly ZipEntry[],
  ): Promise<ReadonlySet<number>> {
    const included = new Set<number>();
    for (const [at, { image }] of entries.entries()) {
      const [file, blob] = [files[at], at === 0 ? first : await open(image)];
      if (file === undefined || blob === undefined) continue;
      await this.add(file, readableOf(blob));
      included.add(image.id);
    }
    return included;
  }

  /** Resolves when the source is read. */
  private async add(file: ZipEntry, original: Readable): Promise<void> {
    const source = pipeline(original, sizeLimit(file.size), () => {});
    try {
      this.leaving.signal.throwIfAborted();
      this.zip.addReadStream(source, file.name, optionsOf(file));
      this.written.push(file);
      await finished(source, { signal: this.leaving.signal });
    } finally {
      source.destroy();
    }
  }

  /**
   * With images that were deleted meanwhile, the file would be shorter than promised: blank lines behind the ids take their place.
   */
  private addMissing(list: string, time: EntryTime): void {
    if (list === '') return;
    const entry = missingEntry(this.missingSize(time), time);
    const isWhole = lengthOf([...this.written, entry]) === this.length && entry.size >= list.length;
    if (!isWhole) throw new Error('The archive cannot have the length that was promised');
    this.zip.addReadStream(Readable.from(linesOf(list, entry.size)), entry.name, optionsOf(entry));
  }

  /** Its size may be what makes the archive need the fields of ZIP64: then it is shorter by the length of these. */
  private missingSize(time: EntryTime): number {
    const lengthWith = (size: number): number => lengthOf([...this.written, missingEntry(size, time)]);
    const size = this.length - lengthWith(0);
    return size + this.length - lengthWith(size);
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

function missingEntry(size: number, time: EntryTime): ZipEntry {
  return { name: MISSING_NAME, size, time };
}

const BLANK_LINES = '\n'.repeat(64 * 1024);

/** @param size bytes, at least those of the list */
function* linesOf(list: string, size: number): Generator<Buffer, void, undefined> {
  yield Buffer.from(list);
  for (let left = size - list.length; left > 0; left -= BLANK_LINES.length) {
    yield Buffer.from(BLANK_LINES.slice(0, left));
  }
}

/** What the library makes of these entries, without reading one of them. */
function lengthOf(entries: readonly ZipEntry[]): number {
  const draft = new ZipFile();
  for (const entry of entries) draft.addReadStreamLazy(entry.name, optionsOf(entry), () => {});
  let length: number | undefined;
  // The types leave out the parameter.
  draft.end(undefined, (...[total]: readonly number[]) => {
    length = total;
  });
  if (length === undefined) throw new TypeError('The length is not known');
  return length;
}

/** The other field for times ends in January 2038. */
const MAX_INSTANT = 0x7fff_ffff * 1000;

function optionsOf({ size, time }: ZipEntry): Partial<ReadStreamOptions> {
  return { size, mtime: new ZipDate(time), forceDosTimestamp: time.instant > MAX_INSTANT, compress: false };
}
