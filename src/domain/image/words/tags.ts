import { compareCodePoints } from './compare-code-points.ts';
import { fold } from './fold.ts';
import { withoutOuterSpace } from './without-outer-space.ts';

/** Tags of one image. */
export const MAX_TAGS = 100;

/** Code points. */
export const TAG_MAX_LENGTH = 64;

/** Entries of `FOLDS`: some hundred KB. */
const MAX_KNOWN_FOLDS = 4_096;

/** A change of many images compares the same tags thousands of times. */
const FOLDS = new Map<string, string>();

/** Equal for twins: spellings that are one tag. */
export function foldTag(tag: string): string {
  const known = FOLDS.get(tag);
  if (known !== undefined) return known;
  const folded = fold(tag);
  if (FOLDS.size >= MAX_KNOWN_FOLDS) FOLDS.clear();
  FOLDS.set(tag, folded);
  return folded;
}

/** Keeps the first of twins, which have the same fold. In the order in which tags are shown. */
export function mergeTags(tags: readonly string[]): readonly string[] {
  return [...firstByFold(tags)].toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, tag]) => tag);
}

/** The first of each set of twins, in the order given. */
function firstByFold(tags: readonly string[]): ReadonlyMap<string, string> {
  const byFold = new Map<string, string>();
  for (const tag of tags) {
    const key = foldTag(tag);
    if (!byFold.has(key)) byFold.set(key, tag);
  }
  return byFold;
}

/** Keywords of a hostile file must cost little. */
export const MAX_KEYWORDS = 2_000;

/** UTF-16 units. No tag is that long, and normalizing takes quadratic time in a run of marks. */
const MAX_KEYWORD_LENGTH = 1_000;

/** Bad UTF-8 decodes to U+FFFD. */
const NOT_IN_TAGS = /[\p{Cc}\p{Cs}\uFFFD]/gu;

/** The tags that the keywords of a file become, at most `MAX_TAGS`. What cannot be a tag is left out. */
export function keywordTags(keywords: readonly string[]): readonly string[] {
  const texts = keywords
    .slice(0, MAX_KEYWORDS)
    .flatMap((keyword) => keyword.split(',', MAX_KEYWORDS))
    .slice(0, MAX_KEYWORDS)
    .filter(({ length }) => length <= MAX_KEYWORD_LENGTH)
    .map((text) => withoutOuterSpace(text.replace(NOT_IN_TAGS, '').normalize('NFC')))
    .filter((text) => text !== '' && Array.from(text).length <= TAG_MAX_LENGTH);
  return mergeTags([...firstByFold(texts).values()].slice(0, MAX_TAGS));
}
