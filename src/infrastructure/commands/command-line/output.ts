export type Format = 'json' | 'table';

/** Prints a line for each value. */
export function printAs<T>(format: Format, rowOf: (value: T) => string): (value: T) => void {
  return (value) => console.log(format === 'json' ? JSON.stringify(value) : rowOf(value));
}

/** In words, for people; scripts get the exit code. */
export function closingLine(text: string): void {
  if (process.stderr.isTTY) console.error(text);
}

/** "1 image", "1,234 images" */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
