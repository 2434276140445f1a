import { InvalidMetadata } from '../errors.ts';
import { checkPatch, type NewMetadata, parseTags, patchMetadata, takenAtOf } from './metadata.ts';
import { formatCaptureTime, parseCaptureTime } from './time/capture-time.ts';
import { changedTags, MAX_TAGS, type TagChanges } from './words/tags.ts';

/** One change of many images, as it is asked for. `null` clears; what is missing stays. */
export interface EditRequest {
  readonly title?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  /** A sign and an ISO 8601 duration. */
  readonly shiftTaken?: string | undefined;
}

/** With values in the form in which they are stored. */
export interface MetadataEdit {
  readonly texts: Pick<EditRequest, 'title' | 'description'>;
  readonly tags: TagChanges;
  readonly shiftMs?: number | undefined;
}

/** @throws {InvalidMetadata} */
export function checkEdit({
  title,
  description,
  addTags = [],
  removeTags = [],
  shiftTaken,
}: EditRequest): MetadataEdit {
  return {
    texts: checkPatch({ title, description }),
    tags: { add: parseTags(addTags, 'addedTags'), remove: parseTags(removeTags, 'removedTags') },
    shiftMs: shiftTaken === undefined ? undefined : parseShift(shiftTaken),
  };
}

/** All texts that the edit writes or takes away. */
export function textsOf({ texts, tags }: MetadataEdit): readonly string[] {
  return [texts.title ?? '', texts.description ?? '', ...tags.add, ...tags.remove];
}

/** @throws {InvalidMetadata} if the image would have too many tags, or a time that the catalog cannot have */
export function editMetadata<T extends NewMetadata>(metadata: T, { texts, tags, shiftMs }: MetadataEdit): T {
  const tagged = changedTags(metadata.tags, tags);
  if (tagged.length > MAX_TAGS) {
    throw new InvalidMetadata('addedTags', `would give an image more than ${MAX_TAGS} tags`);
  }
  const takenAt = shiftMs === undefined ? undefined : shiftedTime(metadata, shiftMs);
  return { ...patchMetadata(metadata, { ...texts, takenAt }), tags: tagged };
}

/** `undefined` for an image without a time. The offset stays: a camera's clock was wrong, not its place. */
function shiftedTime(metadata: NewMetadata, shiftMs: number): string | undefined {
  const time = parseCaptureTime(takenAtOf(metadata) ?? '');
  if (time === undefined) return undefined;
  const shifted = formatCaptureTime({ ...time, local: time.local + shiftMs });
  if (parseCaptureTime(shifted) !== undefined) return shifted;
  throw new InvalidMetadata('shiftTaken', 'would move a time out of the years 0001 to 9999');
}

const TIME = 'T([0-9]+H([0-9]+M)?([0-9]+S)?|[0-9]+M([0-9]+S)?|[0-9]+S)';

/** ISO 8601-1, section 5.5.2.4, without years, months and weeks. Without lookaheads, which readers of the description may not know. */
export const SHIFT = `^[+-]P([0-9]+D(${TIME})?|${TIME})$`;

const SHIFT_PATTERN = new RegExp(SHIFT);
const SECONDS: Readonly<Record<string, number>> = { D: 86_400, H: 3_600, M: 60, S: 1 };
const MAX_SHIFT_SECONDS = 36_500 * 86_400;

function parseShift(text: string): number {
  const parts = [...text.matchAll(/([0-9]+)([DHMS])/g)];
  const total = parts.reduce((sum, [, count, unit = '']) => sum + Number(count) * (SECONDS[unit] ?? 0), 0);
  if (!SHIFT_PATTERN.test(text) || total > MAX_SHIFT_SECONDS) {
    throw new InvalidMetadata(
      'shiftTaken',
      'must be a sign and a duration of days, hours, minutes and seconds such as -PT1H30M, of at most 36500 days',
    );
  }
  return (text.startsWith('-') ? -total : total) * 1000;
}
