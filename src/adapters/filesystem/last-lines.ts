import { open } from 'node:fs/promises';
import { ignoreMissing } from './translating-file-system-errors.ts';

/**
 * The objects in a file of JSON lines, by the text in their field `key`: the last line of a key counts. Skips lines without one
 * of the two texts: a kill may have cut a line off. Empty if there is no file.
 */
export async function lastLines<Line extends object>(
  path: string,
  key: keyof Line & string,
  otherText: keyof Line & string,
): Promise<Map<string, Line>> {
  const lines = new Map<string, Line>();
  const file = await open(path).catch(ignoreMissing);
  for await (const text of file?.readLines() ?? []) {
    const line = parse<Line>(text);
    const name = line?.[key];
    if (typeof name === 'string' && typeof line?.[otherText] === 'string') lines.set(name, line as Line);
  }
  return lines;
}

function parse<Line>(text: string): Partial<Line> | undefined {
  try {
    return (JSON.parse(text) as Partial<Line> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
