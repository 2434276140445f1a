import { foldTag } from './fold-tag.ts';

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

function problemOf(tag: string, count: number): TagProblem | undefined {
  if (Array.from(tag).length > MAX_LENGTH) return 'too-long';
  return count >= MAX_TAGS ? 'too-many' : undefined;
}
