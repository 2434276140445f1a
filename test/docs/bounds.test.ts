import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);
const HEADING = '## What a client can make the service hold';
const TEST_FILE = /`(test\/[^`]+\.ts)`/g;

/** The rows of the table below a heading, without its head. */
function rowsBelow(heading: string, page: string): readonly string[] {
  const section = page.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(1);
}

describe('The bounds in docs/security.md', () => {
  const rows = rowsBelow(HEADING, readFileSync(new URL('docs/security.md', ROOT), 'utf8'));

  it('name a bound and a test for everything that a client can make the service hold', () => {
    expect(rows.length).to.be.above(20);
    const incomplete = rows.filter((row) => {
      const [, what = '', bound = '', test = ''] =
        row.split(' | ').length === 3 ? ['', ...row.split(' | ')] : [];
      return what === '' || bound.trim() === '' || !/^`test\//.test(test);
    });
    expect(incomplete).to.deep.equal([]);
  });

  it('name tests that exist', () => {
    const files = rows.flatMap((row) => [...row.matchAll(TEST_FILE)].map(([, file = '']) => file));
    expect(files).to.have.length.above(rows.length - 1);
    const missing = files.filter((file) => !existsSync(fileURLToPath(new URL(file, ROOT))));
    expect(missing).to.deep.equal([]);
  });
});
