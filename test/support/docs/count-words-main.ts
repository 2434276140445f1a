import { readdirSync, readFileSync } from 'node:fs';

/**
 * npm run docs:words
 *
 * Fails if docs/*.md have more words than people read: in all, or in one page. Counts like `wc -w`, without docs/adr.
 */
const FOLDER = 'docs';
const MAX_WORDS = 42_000;
const MAX_WORDS_OF_A_PAGE = 5500;

const pages = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, words: countWords(readFileSync(`${FOLDER}/${name}`, 'utf8')) }));
const total = pages.reduce((sum, { words }) => sum + words, 0);
const long = pages.filter(({ words }) => words > MAX_WORDS_OF_A_PAGE);

console.log(`${FOLDER}: ${total} words of ${MAX_WORDS}`);
for (const { name, words } of long) {
  console.error(`${FOLDER}/${name}: ${words} words, ${MAX_WORDS_OF_A_PAGE} at most`);
}
if (total > MAX_WORDS || long.length > 0) process.exitCode = 1;

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
