type Counted = readonly [count: number, sentence: (count: number) => string];

/** The sentences of what there is any of. */
export function countedSentences(...all: readonly Counted[]): string {
  return all
    .filter(([count]) => count > 0)
    .map(([count, sentence]) => sentence(count))
    .join(' ');
}
