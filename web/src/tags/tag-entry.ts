/** Characters in a tag: contract, section 9. */
const MAX_LENGTH = 64;
const MAX_TAGS = 100;

export type TagProblem = 'too-long' | 'too-many';

export interface TagEntry {
  /** In the order of the text, without those that are there already. */
  readonly added: readonly string[];
  /** What was not added; it stays in the field. */
  readonly rest: string;
  readonly problem: TagProblem | undefined;
}

/** Splits what was typed or pasted at commas and line ends. */
export function enterTags(text: string, present: readonly string[]): TagEntry {
  const known = new Set(present.map(foldTag));
  const added: string[] = [];
  const refused: string[] = [];
  let problem: TagProblem | undefined;
  for (const tag of text.split(/[,\r\n]+/).map((part) => part.normalize('NFC').trim())) {
    const fold = foldTag(tag);
    if (tag === '' || known.has(fold)) continue;
    const found = problemOf(tag, present.length + added.length);
    if (found === undefined) {
      known.add(fold);
      added.push(tag);
    } else {
      problem ??= found;
      refused.push(tag);
    }
  }
  return { added, rest: refused.join(', '), problem };
}

/** Suggestions that are no tags of the picture yet. */
export function newSuggestions<T extends { readonly tag: string }>(
  suggestions: readonly T[],
  present: readonly string[],
): readonly T[] {
  const known = new Set(present.map(foldTag));
  return suggestions.filter(({ tag }) => !known.has(foldTag(tag)));
}

/**
 * Without case and accents. The service knows more letters that are the same (contract, section 10): a twin that is not
 * found here is merged there.
 */
export function foldTag(tag: string): string {
  return tag.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function problemOf(tag: string, count: number): TagProblem | undefined {
  if (Array.from(tag).length > MAX_LENGTH) return 'too-long';
  return count >= MAX_TAGS ? 'too-many' : undefined;
}
