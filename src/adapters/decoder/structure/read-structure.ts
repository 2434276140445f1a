import { setImmediate as nextTurn } from 'node:timers/promises';
import { ImageBeyondLimits, InvalidImage } from '../../../domain/errors.ts';
import {
  checkDecodeLimits,
  type ImageStructure,
  maxMetadataBytes,
} from '../../../domain/image/decode-limits.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import type { ReadableBytes } from '../../../domain/ports/readable-bytes.ts';
import { parseChunks, UnexpectedEnd } from './byte-cursor.ts';
import { profileExcess } from './colour-profile.ts';
import type { FileStructure, ParsedFile } from './file-structure.ts';
import { measureInflated } from './inflated-size.ts';
import { jpegStructure } from './jpeg-structure.ts';
import { pngStructure } from './png-structure.ts';

/** 16 MiB take 3 s. No browser shows arithmetic-coded files. */
const MAX_ARITHMETIC_BYTES = 16 * 1024 * 1024;

/** Parsed before the event loop handles other requests. */
const SLICE_BYTES = 1024 * 1024;

/**
 * @param maxPixels width × height
 * @throws {ImageBeyondLimits}
 * @throws {InvalidImage}
 */
export async function readStructure(
  file: ReadableBytes,
  mediaType: MediaType,
  maxPixels: number,
): Promise<FileStructure> {
  const check = (structure: ImageStructure): void => checkDecodeLimits(structure, mediaType, maxPixels);
  const parser = mediaType === 'image/jpeg' ? jpegStructure(check) : pngStructure(check);
  try {
    const parsed = await parseChunks(chunksOf(file), parser);
    await checkContent(parsed, mediaType, check);
    const { structure } = parsed;
    if (structure.isArithmetic && file.size > MAX_ARITHMETIC_BYTES)
      throw new ImageBeyondLimits(
        mediaType,
        `is arithmetic-coded and has more than ${MAX_ARITHMETIC_BYTES} bytes`,
      );
    return structure;
  } catch (error) {
    throw error instanceof UnexpectedEnd ? new InvalidImage(mediaType, undefined, { cause: error }) : error;
  }
}

/** Inflates the compressed chunks one by one, so that the memory of the service does not grow with them. */
async function checkContent(
  { structure, compressed, profileHead }: ParsedFile,
  mediaType: MediaType,
  check: (structure: ImageStructure) => void,
): Promise<void> {
  checkProfile(profileHead, mediaType);
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
  const excess = profileExcess(head);
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
