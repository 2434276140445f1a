import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(ROOT, 'docs/accessibility.md'), 'utf8');

/** Levels A and AA of WCAG 2.2: the last criterion of each guideline, without those of level AAA. */
const CRITERIA = [
  ['1.1', [1]],
  ['1.2', [1, 2, 3, 4, 5]],
  ['1.3', [1, 2, 3, 4, 5]],
  ['1.4', [1, 2, 3, 4, 5, 10, 11, 12, 13]],
  ['2.1', [1, 2, 4]],
  ['2.2', [1, 2]],
  ['2.3', [1]],
  ['2.4', [1, 2, 3, 4, 5, 6, 7, 11]],
  ['2.5', [1, 2, 3, 4, 7, 8]],
  ['3.1', [1, 2]],
  ['3.2', [1, 2, 3, 4, 6]],
  ['3.3', [1, 2, 3, 4, 7, 8]],
  ['4.1', [2, 3]],
] as const;

const ROW = /^\| (\d\.\d\.\d+) [^|]+ \| (supported|partly|not applicable) \| [^|]+ \| ([^|]*)\|$/gm;
const REFERENCE = /`([\w./-]+\.ts)`(?: "([^"]+)")?/g;

interface Row {
  readonly criterion: string;
  readonly result: string;
  readonly evidence: string;
}

describe('The accessibility report', () => {
  const rows: readonly Row[] = [...PAGE.matchAll(ROW)].map(
    ([, criterion = '', result = '', evidence = '']) => ({
      criterion,
      result,
      evidence: evidence.trim(),
    }),
  );

  it('has each criterion of WCAG 2.2, A and AA, once and in order', () => {
    const all = CRITERIA.flatMap(([guideline, numbers]) => numbers.map((number) => `${guideline}.${number}`));

    expect(all).to.have.length(55);
    expect(rows.map(({ criterion }) => criterion)).to.deep.equal(all);
  });

  it('names a test or a check by hand for what applies', () => {
    const bare = rows.filter(({ result, evidence }) => (result === 'not applicable') !== (evidence === ''));

    expect(bare.map(({ criterion }) => criterion)).to.deep.equal([]);
  });

  it('names tests that exist', () => {
    const references = [...PAGE.matchAll(REFERENCE)].map(([, file = '', title = '']) => ({ file, title }));

    expect(references).to.have.length.above(30);
    expect(references.filter(({ file, title }) => !hasTest(file, title))).to.deep.equal([]);
  });

  it('counts its results', () => {
    for (const result of ['supported', 'partly', 'not applicable']) {
      const count = rows.filter((row) => row.result === result).length;
      expect(PAGE).to.match(new RegExp(`^\\| ${result} \\| ${count}\\b`, 'm'));
    }
  });
});

function hasTest(file: string, title: string): boolean {
  const path = join(ROOT, file.startsWith('test/') ? '' : 'test/gallery', file);
  return existsSync(path) && readFileSync(path, 'utf8').includes(title);
}
