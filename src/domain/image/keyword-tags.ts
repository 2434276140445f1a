import { firstByFold, MAX_TAGS, mergeTags, TAG_MAX_LENGTH } from './tags.ts';
import { withoutOuterSpace } from './white-space.ts';

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
