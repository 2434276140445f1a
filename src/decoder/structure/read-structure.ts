import {
  type CostlyProfile,
  decodeExcess,
  type ImageStructure,
  MAX_PROFILE_TAGS,
  maxMetadataBytes,
} from '../../domain/image/decode-excess.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import type { Check, FileStructure, ParsedFile, Visit } from './file-structure.ts';
import { gifStructure } from './gif-structure.ts';
import { jpegStructure } from './jpeg-structure.ts';
import { measureInflated } from './measure-inflated.ts';
import { pngStructure } from './png-structure.ts';
import { webpStructure } from './webp-structure.ts';

const STRUCTURES: Readonly<Record<MediaType, (file: Buffer, check: Check, visit?: Visit) => ParsedFile>> = {
  'image/jpeg': jpegStructure,
  'image/png': pngStructure,
  'image/webp': webpStructure,
  'image/gif': gifStructure,
};

class BeyondLimits extends Error {
  constructor(readonly structure: ImageStructure) {
    super();
  }
}

/**
 * Stops reading at the first thing beyond the limits, and returns the structure up to there, for the service to judge. Only the
 * frames of an animation are all counted, so that the message of the refusal can tell how many pixels they have.
 *
 * @throws {MalformedFile}
 */
export async function readStructure(
  file: Buffer,
  mediaType: MediaType,
  limits: PixelLimits,
): Promise<FileStructure> {
  const checkWithin = (allowed: PixelLimits) => (found: ImageStructure) => {
    if (decodeExcess(found, mediaType, allowed) !== undefined) throw new BeyondLimits(found);
  };
  const check = checkWithin(limits);
  try {
    const parsed = STRUCTURES[mediaType](
      file,
      checkWithin({ ...limits, maxFramePixels: Number.POSITIVE_INFINITY }),
    );
    check(parsed.structure);
    await checkContent(parsed, mediaType, check);
    check(parsed.structure);
    return parsed.structure;
  } catch (error) {
    if (!(error instanceof BeyondLimits)) throw error;
    return { ...error.structure, bytesPerPixel: 0, heldBytes: 0, hasExif: false };
  }
}

/**
 * Visits the parts of a file whose structure is within the limits. What is behind the part that `readStructure` has read is not
 * judged.
 *
 * @throws {MalformedFile}
 */
export function visitParts(file: Buffer, mediaType: MediaType, visit: Visit): void {
  STRUCTURES[mediaType](file, () => undefined, visit);
}

/** Inflates the compressed chunks one by one. */
async function checkContent(
  { structure, compressed = [], profile }: ParsedFile,
  mediaType: MediaType,
  check: Check,
): Promise<void> {
  if (profile !== undefined) check({ ...structure, costlyProfile: expensivePartOf(profile) });
  let { metadataBytes } = structure;
  for (const { isProfile, zlibStream } of compressed) {
    const { size, head } = await measureInflated(
      zlibStream,
      maxMetadataBytes(structure, mediaType) - metadataBytes,
    );
    metadataBytes += size;
    check({ ...structure, metadataBytes });
    if (isProfile) check({ ...structure, costlyProfile: expensivePartOf(head) });
  }
}

/** ICC.1:2022, 7.2 and 7.3. */
const PROFILE_HEADER_BYTES = 128;
const PROFILE_COUNT_BYTES = 4;
const PROFILE_ENTRY_BYTES = 12;

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
 * @param head at least its table of tags, or the whole profile
 */
function expensivePartOf(head: Uint8Array): CostlyProfile | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < PROFILE_HEADER_BYTES + PROFILE_COUNT_BYTES) return undefined;
  const count = view.getUint32(PROFILE_HEADER_BYTES);
  if (count > MAX_PROFILE_TAGS) return `more than ${MAX_PROFILE_TAGS} tags`;
  const tags = tagsOf(view, count);
  if (tags.some(({ name }) => ELEMENTS.test(name))) return 'multi-process elements';
  return overlap(tags.filter(({ name }) => TABLES.test(name))) ? 'overlapping tables' : undefined;
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
