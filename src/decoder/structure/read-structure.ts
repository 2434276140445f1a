import { decodeExcess, type ImageStructure, maxMetadataBytes } from '../../domain/image/decode-excess.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import { choosePngColours } from '../colours/png-colours.ts';
import { readOrientation } from '../embedded/find-exif.ts';
import { expensivePartOf, isUsableProfile } from './colour-profile.ts';
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
    const hasProfile = await checkContent(parsed, mediaType, check);
    check(parsed.structure);
    const { structure } = parsed;
    const blocks = structure.exif?.map(({ start, end }) => file.subarray(start, end)) ?? [];
    return { ...structure, orientation: readOrientation(blocks), ...samplesOf(parsed, hasProfile) };
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

function samplesOf({ png }: ParsedFile, hasProfile: boolean): Pick<FileStructure, 'png'> {
  if (png === undefined) return {};
  const { chunks, isGrey, is16Bit } = png;
  return { png: { colours: choosePngColours(chunks, hasProfile), isGrey, is16Bit, profile: chunks.profile } };
}

/** Inflates the compressed chunks one by one. Returns whether the first profile among them can be used. */
async function checkContent(
  { structure, compressed = [], profile }: ParsedFile,
  mediaType: MediaType,
  check: Check,
): Promise<boolean> {
  if (profile !== undefined) check({ ...structure, costlyProfile: expensivePartOf(profile) });
  let { metadataBytes } = structure;
  let hasProfile: boolean | undefined;
  for (const { isProfile, zlibStream } of compressed) {
    const { size, head } = await measureInflated(
      zlibStream,
      maxMetadataBytes(structure, mediaType) - metadataBytes,
    );
    metadataBytes += size;
    check({ ...structure, metadataBytes });
    if (!isProfile) continue;
    check({ ...structure, costlyProfile: expensivePartOf(head) });
    hasProfile ??= isUsableProfile(head, size);
  }
  return hasProfile ?? false;
}
