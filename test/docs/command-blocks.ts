/** A block of shell commands in a page. */
export interface CommandBlock {
  /** The page and the line of the fence. */
  readonly place: string;
  readonly text: string;
  /** Why it is not run: the text behind `not-run:` in the fence. */
  readonly notRun: string | undefined;
}

const BLOCK = /^( *)```(?:sh|bash|console)(?: not-run: ([^\n]+))?\n(.*?)^\1```$/gms;
const FENCE = /^ *```(?:sh|bash|console)\b/gm;

/** @throws {Error} if a fence says something else than that its block is not run, and why */
export function commandBlocks(page: string, markdown: string): readonly CommandBlock[] {
  const blocks = [...markdown.matchAll(BLOCK)].map((block) => {
    const [, indent = '', notRun, body = ''] = block;
    const line = markdown.slice(0, block.index).split('\n').length;
    return { place: `${page}:${line}`, text: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), notRun };
  });
  if ((markdown.match(FENCE) ?? []).length !== blocks.length) {
    throw new Error(`${page}: the fence of a shell block is not understood`);
  }
  return blocks;
}
