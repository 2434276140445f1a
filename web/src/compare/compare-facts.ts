import type { ImageRecord } from '@image-catalog/client';

export type CompareFact = 'pixels' | 'bytes' | 'same';

type Compared = Pick<ImageRecord, 'id' | 'width' | 'height' | 'size' | 'sha256'>;

/** What sets a picture apart from the others, or what it shares with one of them. Only what the records say. */
export function factsOf(record: Compared, all: readonly Compared[]): readonly CompareFact[] {
  const facts: CompareFact[] = [];
  if (isLargest(record, all, ({ width, height }) => width * height)) facts.push('pixels');
  if (isLargest(record, all, ({ size }) => size)) facts.push('bytes');
  if (all.some(({ id, sha256 }) => id !== record.id && sha256 === record.sha256)) facts.push('same');
  return facts;
}

/** Not if all are equal. */
function isLargest(record: Compared, all: readonly Compared[], valueOf: (one: Compared) => number): boolean {
  const values = all.map(valueOf);
  const largest = Math.max(...values);
  return valueOf(record) === largest && values.some((value) => value < largest);
}
