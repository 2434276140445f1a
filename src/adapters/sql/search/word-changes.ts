import { LRUCache } from 'lru-cache';
import { searchableTexts } from '../../../domain/image/metadata.ts';
import { indexWords } from '../../../domain/image/words.ts';
import { type MetadataRow, metadataFromRow } from './metadata-row.ts';
import type { MetadataChange } from './search-index.ts';

export interface WordChanges {
  /** As in the row of the image: each with a space in front. */
  readonly words: string;
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/**
 * From the texts that come and go alone: an image may have thousands of words, and a request may change hundreds of images.
 */
export function wordChanges({ before, after }: MetadataChange): WordChanges {
  const known = before === undefined ? [] : wordsIn(before);
  if (after === undefined) return { words: '', added: [], gone: known };
  const texts = new Set(searchableTexts(after.record.originalName, after.metadata));
  const former = new Set(before && searchableTexts(after.record.originalName, metadataFromRow(before)));
  const gone = wordsOf(without(former, texts));
  if (gone.size > 0) for (const text of texts) for (const word of wordsOfText(text)) gone.delete(word);
  const added = wordsOf(without(texts, former));
  for (const word of known) added.delete(word);
  const kept = gone.size === 0 ? (before?.words ?? '') : asColumn(known.filter((word) => !gone.has(word)));
  return { words: kept + asColumn([...added]), added: [...added], gone: [...gone] };
}

function without(texts: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] {
  return [...texts].filter((text) => !others.has(text));
}

function wordsOf(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...wordsOfText(text)]));
}

function wordsOfText(text: string): ReadonlySet<string> {
  return text.length <= MAX_KNOWN_LENGTH ? KNOWN.memo(text) : indexWords([text]);
}

/** UTF-16 code units: that of all tags. */
const MAX_KNOWN_LENGTH = 128;
/** A request may write the same tags to hundreds of images. */
const KNOWN = new LRUCache<string, ReadonlySet<string>>({
  max: 500,
  memoMethod: (text) => indexWords([text]),
});

function wordsIn({ words }: MetadataRow): readonly string[] {
  return words === '' ? [] : words.slice(1).split(' ');
}

function asColumn(words: readonly string[]): string {
  return words.map((word) => ` ${word}`).join('');
}
