import type { ImageMetadata, MetadataPatch } from '@image-catalog/client';
import { foldTag } from '../tags/fold-tag.ts';
import type { Edit } from './edit.ts';
import { shiftedTime } from './shifted-time.ts';

/** What an edit may change of a picture. Description and alternative text are known if the edit changes them. */
export type Editable = Pick<ImageMetadata, 'title' | 'tags' | 'takenAt'> &
  Partial<Pick<ImageMetadata, 'description' | 'alt'>>;

/**
 * Brings back what the edit has changed, and nothing else: tags that others have added or removed since stay so.
 *
 * @returns `undefined` if a text or the time is not as the edit left it: others have changed it since
 */
export function inverseOf(edit: Edit, before: Editable, present: ImageMetadata): MetadataPatch | undefined {
  const patch: { -readonly [Field in keyof MetadataPatch]: MetadataPatch[Field] } = {};
  for (const field of ['title', 'description', 'alt'] as const) {
    const left = edit[field];
    if (left === undefined || isSameText(present[field], before[field] ?? null)) continue;
    if (!isSameText(present[field], left)) return undefined;
    patch[field] = before[field] ?? null;
  }
  if (edit.shiftMinutes !== undefined && before.takenAt !== null && present.takenAt !== before.takenAt) {
    if (present.takenAt !== shiftedTime(before.takenAt, edit.shiftMinutes)) return undefined;
    // A time of the camera is none that a person has set.
    patch.takenAt = before.takenAt === present.capture['takenAt'] ? null : before.takenAt;
  }
  const tags = tagsBefore(edit, before.tags, present.tags);
  if (tags.length !== present.tags.length || tags.some((tag, index) => tag !== present.tags[index])) {
    patch.tags = tags;
  }
  return patch;
}

function tagsBefore(
  { addTags = [], removeTags = [] }: Edit,
  before: readonly string[],
  present: readonly string[],
): readonly string[] {
  const [added, removed, had, has] = [addTags, removeTags, before, present].map(foldsOf);
  const kept = present.filter((tag) => had?.has(foldTag(tag)) || !added?.has(foldTag(tag)));
  const restored = before.filter((tag) => removed?.has(foldTag(tag)) && !has?.has(foldTag(tag)));
  return [...kept, ...restored];
}

function foldsOf(tags: readonly string[]): ReadonlySet<string> {
  return new Set(tags.map(foldTag));
}

/** The service trims and composes what it stores. */
function isSameText(a: string | null, b: string | null): boolean {
  return a === b || a?.normalize('NFC').trim() === b?.normalize('NFC').trim();
}
