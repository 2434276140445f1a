import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImageBeyondLimits, InvalidImage } from '../../../domain/errors.ts';
import {
  checkDecodeLimits,
  type ImageStructure,
  maxMetadataBytes,
} from '../../../domain/image/decode-limits.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import type { ReadableBytes } from '../../../domain/ports/bytes/readable-bytes.ts';
import { type ChunkParser, MalformedFile, parseChunks } from './byte-cursor.ts';
import {
  type FileStructure,
  MAX_PROFILE_TAGS,
  type ParsedFile,
  PROFILE_COUNT_BYTES,
  PROFILE_ENTRY_BYTES,
  PROFILE_HEADER_BYTES,
} from './file-structure.ts';
import { gifStructure } from './gif-structure.ts';
import { measureInflated } from './inflated-size.ts';
import { jpegStructure } from './jpeg-structure.ts';
import { pngStructure } from './png-structure.ts';
import { webpStructure } from './webp-structure.ts';

/** 16 MiB take 3 s. No browser shows arithmetic-coded files. */
const MAX_ARITHMETIC_BYTES = 16 * 1024 * 1024;

/** Parsed before the event loop handles other requests. */
const SLICE_BYTES = 1024 * 1024;

const STRUCTURES: Readonly<
  Record<MediaType, (check: (structure: ImageStructure) => void) => ChunkParser<ParsedFile>>
> = {
  'image/jpeg': jpegStructure,
  'image/png': pngStructure,
  'image/webp': webpStructure,
  'image/gif': gifStructure,
};

/**
 * @param maxPixels width × height × frames
 * @throws {ImageBeyondLimits}
 * @throws {InvalidImage}
 */
export async function readStructure(
  file: ReadableBytes,
  mediaType: MediaType,
  maxPixels: number,
): Promise<FileStructure> {
  const check = (structure: ImageStructure): void => checkDecodeLimits(structure, mediaType, maxPixels);
  try {
    const parsed = await parseChunks(chunksOf(file), STRUCTURES[mediaType](check));
    await checkContent(parsed, mediaType, check);
    const { structure } = parsed;
    if (structure.isArithmetic && file.size > MAX_ARITHMETIC_BYTES) {
      throw new ImageBeyondLimits(
        mediaType,
        `is arithmetic-coded and has more than ${MAX_ARITHMETIC_BYTES} bytes`,
      );
    }
    return structure;
  } catch (error) {
    throw error instanceof MalformedFile ? new InvalidImage(mediaType, undefined, { cause: error }) : error;
  }
}

/** Inflates the compressed chunks one by one, so that the memory of the service does not grow with them. */
async function checkContent(
  { structure, compressed = [], profileHead }: ParsedFile,
  mediaType: MediaType,
  check: (structure: ImageStructure) => void,
): Promise<void> {
  if (profileHead !== undefined) checkProfile(profileHead, mediaType);
  let { metadataBytes } = structure;
  for (const { isProfile, zlibStream } of compressed) {
    const { size, head } = await measureInflated(
      zlibStream,
      maxMetadataBytes(structure, mediaType) - metadataBytes,
    );
    metadataBytes += size;
    check({ ...structure, metadataBytes });
    if (isProfile) checkProfile(head, mediaType);
  }
}

function checkProfile(head: Uint8Array, mediaType: MediaType): void {
  const excess = expensivePartOf(head);
  if (excess !== undefined) throw new ImageBeyondLimits(mediaType, `has ${excess}`);
}

function chunksOf(file: ReadableBytes): AsyncIterable<Uint8Array> {
  return file.buffered === undefined ? file.read() : slicesOf(file.buffered);
}

async function* slicesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    if (start > 0) await nextTurn();
    yield bytes.subarray(start, start + SLICE_BYTES);
  }
}

/** Chains of multi-process elements. They may name one element any number of times. */
const ELEMENTS = /^(?:D2B|B2D)/;

/** Lookup tables and curves. Real profiles share them whole, and let only their texts overlap with other tags. */
const TABLES = /^(?:A2B|B2A|pre)\d$|^gamt$|TRC$/;

interface Tag {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/**
 * What makes a profile expensive, found in its table of tags; `undefined` if nothing does. An ill-formed profile is not expensive:
 * lcms refuses it, and the image is decoded without it.
 *
 * @param head at least the first `PROFILE_HEAD_BYTES`, or the whole profile
 */
function expensivePartOf(head: Uint8Array): string | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < PROFILE_HEADER_BYTES + PROFILE_COUNT_BYTES) return undefined;
  const count = view.getUint32(PROFILE_HEADER_BYTES);
  if (count > MAX_PROFILE_TAGS) return `a colour profile with more than ${MAX_PROFILE_TAGS} tags`;
  const tags = tagsOf(view, count);
  if (tags.some(({ name }) => ELEMENTS.test(name))) return 'a colour profile with multi-process elements';
  if (overlap(tags.filter(({ name }) => TABLES.test(name)))) {
    return 'a colour profile with overlapping tables';
  }
  return undefined;
}

function tagsOf(view: DataView, count: number): readonly Tag[] {
  const first = PROFILE_HEADER_BYTES + PROFILE_COUNT_BYTES;
  const complete = Math.min(count, Math.floor((view.byteLength - first) / PROFILE_ENTRY_BYTES));
  return Array.from({ length: complete }, (_, index) => {
    const at = first + index * PROFILE_ENTRY_BYTES;
    const name = String.fromCharCode(...[0, 1, 2, 3].map((offset) => view.getUint8(at + offset)));
    const start = view.getUint32(at + 4);
    return { name, start, end: start + view.getUint32(at + 8) };
  });
}

/** Whether any two have some bytes in common, but not all. */
function overlap(tags: readonly Tag[]): boolean {
  const sorted = tags.toSorted((a, b) => a.start - b.start || a.end - b.end);
  return sorted.some((tag, index) => {
    const next = sorted[index + 1];
    return next !== undefined && next.start < tag.end && (next.start !== tag.start || next.end !== tag.end);
  });
}
