import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { PHONE } from '../../../web/src/base/breakpoints.ts';

const SOURCES = join(import.meta.dirname, '../../../web/src');

async function styleSheets(): Promise<readonly string[]> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith('.css'));
  return await Promise.all(names.map(async (name) => await readFile(join(SOURCES, name), 'utf8')));
}

async function found(pattern: RegExp): Promise<readonly string[]> {
  const sheets = await styleSheets();
  return [...new Set(sheets.flatMap((css) => [...css.matchAll(pattern)].map(([, text = '']) => text)))];
}

describe('the style sheets', () => {
  it('change at two widths only', async () => {
    const widths = await found(/\((m(?:in|ax)-width: [^)]+)\)/g);

    expect(widths).to.have.members(['max-width: 639px', 'min-width: 640px', 'min-width: 1024px']);
    expect(PHONE).to.equal('(max-width: 639px)');
  });

  it('stack by the layers of tokens.css only', async () => {
    const layers = await found(/z-index: ([^;]+);/g);
    const known = await found(/^ {2}(--layer-[a-z]+):/gm);

    expect(layers).to.have.members(known.map((name) => `var(${name})`));
  });
});
