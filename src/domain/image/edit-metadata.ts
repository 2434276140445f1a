import { InvalidMetadata } from '../errors.ts';
import { type NewMetadata, takenAtOf } from './image-metadata.ts';
import type { MetadataEdit } from './metadata-edit.ts';
import { patchMetadata } from './patch-metadata.ts';
import { formatCaptureTime } from './time/capture-time.ts';
import { parseCaptureTime } from './time/parse-capture-time.ts';
import { changedTags } from './words/changed-tags.ts';
import { MAX_TAGS } from './words/tags.ts';

/** @throws {InvalidMetadata} if the image would have too many tags, or a time that the catalog cannot have */
export function editMetadata<T extends NewMetadata>(metadata: T, { fields, tags, shiftMs }: MetadataEdit): T {
  const tagged = changedTags(metadata.tags, tags);
  if (tagged.length > MAX_TAGS) {
    throw new InvalidMetadata('addedTags', `would give an image more than ${MAX_TAGS} tags`);
  }
  const takenAt = shiftMs === undefined ? undefined : shiftedTime(metadata, shiftMs);
  return { ...patchMetadata(metadata, { ...fields, takenAt }), tags: tagged };
}

/** `undefined` for an image without a time. The offset stays: a camera's clock was wrong, not its place. */
function shiftedTime(metadata: NewMetadata, shiftMs: number): string | undefined {
  const time = parseCaptureTime(takenAtOf(metadata) ?? '');
  if (time === undefined) return undefined;
  const shifted = formatCaptureTime({ ...time, local: time.local + shiftMs });
  if (parseCaptureTime(shifted) !== undefined) return shifted;
  throw new InvalidMetadata('shiftTaken', 'would move a time out of the years 0001 to 9999');
}
