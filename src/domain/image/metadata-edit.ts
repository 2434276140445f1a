import { InvalidMetadata } from '../errors.ts';
import { checkPatch, parseTags } from './check-patch.ts';
import { type WRITTEN_FIELDS, WRITTEN_ROWS, type WrittenField } from './fields.ts';
import type { MetadataPatch } from './image-metadata.ts';
import type { TagChanges } from './words/changed-tags.ts';

/** The fields that an edit sets to one value in many images. */
export const BULK_FIELDS = WRITTEN_ROWS.flatMap(([field, { isEditedInBulk }]) =>
  isEditedInBulk === true ? [field] : [],
) as readonly BulkField[];

export type BulkField = {
  [Field in WrittenField]: (typeof WRITTEN_FIELDS)[Field] extends { readonly isEditedInBulk: true }
    ? Field
    : never;
}[WrittenField];

/** One change of many images, as it is asked for. `null` clears; what is missing stays. */
export interface EditRequest extends Pick<MetadataPatch, BulkField> {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  /** A sign and an ISO 8601 duration. */
  readonly shiftTaken?: string | undefined;
}

/** An edit whose values have the form in which they are stored. */
export interface MetadataEdit {
  readonly fields: Pick<EditRequest, BulkField>;
  readonly tags: TagChanges;
  readonly shiftMs?: number | undefined;
}

/** @throws {InvalidMetadata} */
export function checkEdit({
  addTags = [],
  removeTags = [],
  shiftTaken,
  ...fields
}: EditRequest): MetadataEdit {
  return {
    fields: checkPatch(fields),
    tags: { add: parseTags(addTags, 'addedTags'), remove: parseTags(removeTags, 'removedTags') },
    shiftMs: shiftTaken === undefined ? undefined : parseShift(shiftTaken),
  };
}

/** All texts that the edit writes or takes away. */
export function textsOf({ fields, tags }: MetadataEdit): readonly string[] {
  const texts = Object.values(fields).filter((value) => typeof value === 'string');
  return [...texts, ...tags.add, ...tags.remove];
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
