import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['.', 'client', 'demo', 'docs', 'docs/adr', 'test/fuzz', 'test/simulation', 'web'];
const LINK = /\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g;
const MAX_README_LINES = 90;

interface Link {
  readonly page: string;
  readonly target: string;
}

describe('The documentation', () => {
  const pages = FOLDERS.flatMap((folder) => markdownIn(join(ROOT, folder)));

  it('links only to files and headings that exist', () => {
    const broken = pages.flatMap(linksOf).filter((link) => !isGood(link));

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

function linksOf(page: string): readonly Link[] {
  return [...proseOf(page).matchAll(LINK)]
    .map(([, inMarkdown, inHtml]) => ({ page, target: inMarkdown ?? inHtml ?? '' }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function isGood({ page, target }: Link): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : resolve(dirname(page), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(file).has(anchor));
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The page without its blocks of code, in which brackets and number signs mean other things. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');
}
