import { decodeExcess, type ImageStructure, maxMetadataBytes } from '../../domain/image/decode-excess.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { PixelLimits } from '../../domain/image/pixel-limits.ts';
import { choosePngColours } from '../colours/png-colours.ts';
import { readOrientation } from '../embedded/find-exif.ts';
import { expensivePartOf, isUsableProfile } from './colour-profile.ts';
import type { Check, FileStructure, ParsedFile, ProfileChunk, Visit } from './file-structure.ts';
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
    const profile = await checkContent(parsed, mediaType, check);
    const { structure } = parsed;
    const blocks = structure.exif?.map(({ start, end }) => file.subarray(start, end)) ?? [];
    return { ...structure, orientation: readOrientation(blocks), ...samplesOf(parsed, profile) };
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

/** @param usable the profile of a PNG, if it has one that can be used */
function samplesOf(
  { png, compressed = [] }: ParsedFile,
  usable: ProfileChunk | undefined,
): Pick<FileStructure, 'png'> {
  if (png === undefined) return {};
  const { chunks, isGrey, is16Bit } = png;
  const colours = choosePngColours(chunks, usable !== undefined);
  const used = colours === 'profile' ? usable : undefined;
  const profiles = compressed.flatMap(({ profile }) => profile ?? []);
  return {
    png: { colours, isGrey, is16Bit, ignoredProfiles: profiles.filter((profile) => profile !== used) },
  };
}

/** Inflates the compressed chunks one by one. Returns the first profile among them that can be used. */
async function checkContent(
  { structure, compressed = [], profile: uncompressed }: ParsedFile,
  mediaType: MediaType,
  check: Check,
): Promise<ProfileChunk | undefined> {
  if (uncompressed !== undefined) check({ ...structure, costlyProfile: expensivePartOf(uncompressed) });
  let { metadataBytes } = structure;
  let usable: ProfileChunk | undefined;
  for (const { profile, zlibStream } of compressed) {
    const { size, head } = await measureInflated(
      zlibStream,
      maxMetadataBytes(structure, mediaType) - metadataBytes,
    );
    metadataBytes += size;
    check({ ...structure, metadataBytes });
    if (profile === undefined) continue;
    check({ ...structure, costlyProfile: expensivePartOf(head) });
    if (profile.isReadable && isUsableProfile(head, size)) usable ??= profile;
  }
  return usable;
}
