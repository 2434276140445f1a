type Random = () => number;

/** Makes the text of a number; texts of different numbers are different unless the kind says otherwise. */
export interface TextKind {
  readonly name: string;
  /** @param length in code points */
  readonly make: (length: number, number: number) => string;
}

/** What is costly for one of: comparing, sorting, folding, splitting into words, numbering, escaping. */
export const TEXT_KINDS: readonly TextKind[] = [
  { name: 'equal', make: (length) => 'a'.repeat(length) },
  { name: 'nearly equal', make: (length, number) => `${'a'.repeat(length - 6)}${digits(number)}` },
  {
    name: 'nearly equal, falling',
    make: (length, number) => `${'a'.repeat(length - 6)}${digits(999_999 - number)}`,
  },
  { name: 'words of a letter', make: (length, number) => cycle('a b c d e f g h i j ', length, number) },
  { name: 'borders of words', make: (length, number) => cycle('aB1cD2', length, number) },
  { name: 'pairs of characters', make: (length, number) => ideographs(length, number) },
  // One character becomes 18.
  { name: 'long folds', make: (length, number) => `${'\ufdfa'.repeat(length - 6)}${digits(number)}` },
  // Marks that normalization sorts.
  {
    name: 'marks',
    make: (length, number) => `${digits(number)}${cycle('\u0315\u0300\u0327', length - 6, 0)}`,
  },
  { name: 'emoji', make: (length, number) => `${'😀'.repeat(length - 6)}${digits(number)}` },
  { name: 'escapes', make: (length, number) => `${digits(number)}${'"'.repeat(length - 6)}` },
  { name: 'wildcards', make: (length, number) => `${digits(number)}${cycle('%_*\\', length - 6, 0)}` },
];

export function anyKind(random: Random): TextKind {
  return TEXT_KINDS[Math.floor(random() * TEXT_KINDS.length)] as TextKind;
}

/** Three orders of the same items: as they are, backwards, shuffled. */
export function inAnyOrder<T>(items: readonly T[], random: Random): readonly T[] {
  const choice = Math.floor(random() * 3);
  if (choice === 0) return items;
  if (choice === 1) return items.toReversed();
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

function digits(number: number): string {
  return String(number % 1_000_000).padStart(6, '0');
}

function cycle(text: string, length: number, from: number): string {
  return text
    .repeat(Math.ceil(length / text.length) + 1)
    .slice(from % text.length, (from % text.length) + length);
}

/** Every pair of neighbours is another word. */
function ideographs(length: number, number: number): string {
  return String.fromCodePoint(
    ...Array.from({ length }, (_, at) => 0x4e00 + ((at * 7 + number * 131) % 20_000)),
  );
}
