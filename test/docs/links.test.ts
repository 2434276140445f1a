import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { brokenLinks } from '../support/docs/broken-links.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['.', 'client', 'demo', 'docs', 'docs/adr', 'test/fuzz', 'test/simulation', 'web'];
const MAX_README_LINES = 90;

describe('The documentation', () => {
  const pages = FOLDERS.flatMap((folder) => markdownIn(join(ROOT, folder)));

  it('links only to files and headings that exist', () => {
    const broken = pages.flatMap((page) => brokenLinks(page, existsSync));

    expect(broken.map(({ page, target }) => `${relative(ROOT, page)}: ${target}`)).to.deep.equal([]);
  });

  it('begins with a README that is short', () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8').trimEnd().split('\n').length).to.be.at.most(
      MAX_README_LINES,
    );
  });
});

function markdownIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
}
