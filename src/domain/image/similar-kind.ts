import type { Image } from './image.ts';
import { hammingDistance, type ImageHashes } from './image-hashes.ts';
import type { Capture } from './image-metadata.ts';
import type { CaptureTime } from './time/capture-time.ts';
import { parseCaptureTime } from './time/parse-capture-time.ts';

/** `burst`: another shot of a series. `copy`: the same image in another size, format or quality. */
export type SimilarKind = 'burst' | 'copy' | 'similar';

/** What decides about the kind. */
export interface Look {
  readonly image: Pick<Image, 'sha256' | 'width' | 'height'>;
  readonly capture: Capture;
  /** Undefined if the pixels were not read. */
  readonly hashes: ImageHashes | undefined;
}

/** Cameras take 3 to 120 frames a second. */
const BURST_MS = 3_000;

/** Bits of 64. Copies differ in 10 at most, down to 160 pixels and JPEG quality 30; other images in about 32. */
const COPY_PHASH_BITS = 10;

/** The ratio of the longer to the shorter side may differ by this. Rounding to whole pixels changes it by less than 2 %, down to sides of 50 pixels. */
const COPY_ASPECT = 0.02;

/** Steps of 255 in each channel. Copies differ by 7 at most; hashes do not see the colour or the light. */
const COPY_COLOUR = 8;

const MS_PER_MINUTE = 60_000;

export function kindOf(one: Look, other: Look): SimilarKind {
  if (isBurst(one.capture, other.capture)) return 'burst';
  return isCopy(one, other) ? 'copy' : 'similar';
}

function isBurst(one: Capture, other: Capture): boolean {
  if (one.make === null || one.make !== other.make) return false;
  if (one.model === null || one.model !== other.model) return false;
  const apart = msBetween(one.takenAt, other.takenAt);
  return apart >= 1 && apart <= BURST_MS;
}

/** NaN if a time is unknown. */
function msBetween(one: string | null, other: string | null): number {
  const [a, b] = [one, other].map((text) => (text === null ? undefined : parseCaptureTime(text)));
  if (a === undefined || b === undefined) return Number.NaN;
  // One camera has one clock: without an offset on both sides, the clock decides.
  if (a.offset === undefined || b.offset === undefined) return Math.abs(a.local - b.local);
  return Math.abs(instantOf(a) - instantOf(b));
}

function instantOf({ local, offset = 0 }: CaptureTime): number {
  return local - offset * MS_PER_MINUTE;
}

function isCopy(one: Look, other: Look): boolean {
  if (one.image.sha256 === other.image.sha256) return true;
  if (one.hashes === undefined || other.hashes === undefined) return false;
  return hasSameAspect(one.image, other.image) && looksTheSame(one.hashes, other.hashes);
}

function hasSameAspect(one: Look['image'], other: Look['image']): boolean {
  const ratio = (one.width * other.height) / (one.height * other.width);
  return Math.max(ratio, 1 / ratio) <= 1 + COPY_ASPECT;
}

function looksTheSame(one: ImageHashes, other: ImageHashes): boolean {
  if (hammingDistance(one.pHash, other.pHash) > COPY_PHASH_BITS) return false;
  return one.meanColour.every(
    (value, channel) => Math.abs(value - (other.meanColour[channel] as number)) <= COPY_COLOUR,
  );
}
