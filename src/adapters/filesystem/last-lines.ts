import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { ignoreMissing } from './translating-file-system-errors.ts';

/** Longer lines are skipped: none of the writers makes one, and somebody else may have written the file. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

const LINE_FEED = 0x0a;

/**
 * The objects in a file of JSON lines, by the text in their field `key`: the last line of a key counts. Skips lines without one
 * of the two texts: a kill may have cut a line off. Empty if there is no regular file.
 */
export async function lastLines<Line extends object>(
  path: string,
  key: keyof Line & string,
  otherText: keyof Line & string,
  { followsLinks }: { readonly followsLinks: boolean } = { followsLinks: true },
): Promise<Map<string, Line>> {
  const lines = new Map<string, Line>();
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const flags = constants.O_RDONLY | constants.O_NONBLOCK | (followsLinks ? 0 : constants.O_NOFOLLOW);
  await using file = await open(path, flags).catch(ignoreMissing);
  if (!(await file?.stat())?.isFile()) return lines;
  for await (const text of boundedLines(file)) {
    const line = parse<Line>(text);
    const name = line?.[key];
    if (typeof name === 'string' && typeof line?.[otherText] === 'string') lines.set(name, line as Line);
  }
  return lines;
}

async function* boundedLines(file: FileHandle | undefined): AsyncGenerator<string, void, undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const endLine = (): string => {
    const text = length > MAX_LINE_BYTES ? '' : Buffer.concat(parts).toString();
    [parts, length] = [[], 0];
    return text;
  };
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
  };
  for await (const chunk of (file?.createReadStream({ autoClose: false }) ?? []) as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield endLine();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  yield endLine();
}

function parse<Line>(text: string): Partial<Line> | undefined {
  try {
    return (JSON.parse(text) as Partial<Line> | null) ?? undefined;
  } catch {
    return undefined;
  }
}
