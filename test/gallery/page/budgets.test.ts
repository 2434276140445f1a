import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { expect } from 'chai';
import { PROJECT_FOLDER } from '../../support/servers/service-process.ts';

const WEB = join(PROJECT_FOLDER, 'dist/web');
const KIB = 1024;
/** What a person needs to sign in. */
const SIGN_IN_BYTES = 60_000;
/** Asks for the others. */
const EARLY_BYTES = 300;
const FIRST_STYLES_BYTES = 4 * KIB;
const SCRIPTS_BYTES = 120 * KIB;
const STYLES_BYTES = 15 * KIB;
const EARLY = /\/ask-early-[^/]*\.js$/;
const PICTURES = /\/(?:open-gallery|pictures|react)-[^/]*\.js$/;

describe('the built gallery', () => {
  it('offers to sign in with one script, one that asks early, and one style sheet, within 60 kB together with the page', async () => {
    const scripts = await scriptsFrom(await filesOfPage('.js'));
    const styles = await filesOfPage('.css');

    expect(scripts).to.have.length(2);
    expect(await transferredBytes(scripts.filter((path) => EARLY.test(path)))).to.be.within(1, EARLY_BYTES);
    expect(styles).to.have.length(1);
    expect(await transferredBytes(styles)).to.be.at.most(FIRST_STYLES_BYTES);
    expect(await transferredBytes(['index.html', ...scripts, ...styles])).to.be.at.most(SIGN_IN_BYTES);
  });

  it('speaks German before it has what the pictures need', async () => {
    const german = (await filesOf('.js')).filter((path) => /\/german-[^/]*\.js$/.test(path));

    expect(german).to.have.length(1);
    expect((await scriptsFrom(german)).filter((path) => PICTURES.test(path))).to.deep.equal([]);
  });

  it('shows the first pictures with at most 120 KiB of JavaScript, in one file beside React', async () => {
    const pictures = (await filesOf('.js')).filter((path) => PICTURES.test(path));
    const scripts = await scriptsFrom([...(await filesOfPage('.js')), ...pictures]);

    // Beside that of the bundler, the one that names what the others have, and the one that asks early.
    expect(scripts.filter((path) => !/rolldown-runtime|open-gallery|ask-early/.test(path))).to.have.length(3);
    expect(await transferredBytes(scripts)).to.be.at.most(SCRIPTS_BYTES);
  });

  it('has at most 15 KiB of CSS, in two files: a style that could not be loaded once is not loaded again', async () => {
    const reference = await readFile(join(WEB, 'docs/index.html'), 'utf8');
    const styles = (await filesOf('.css')).filter((path) => !reference.includes(path));

    expect(styles).to.have.length(2);
    expect(await transferredBytes(styles)).to.be.at.most(STYLES_BYTES);
  });

  it('has no inline code or style in its pages', async () => {
    for (const page of await filesOf('.html')) {
      const html = await readFile(join(WEB, page), 'utf8');

      expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g), page).to.equal(null);
      expect(html.match(/<style|\sstyle=|\son\w+=|javascript:/gi), page).to.equal(null);
    }
  });

  it('refers to files of its own only', async () => {
    for (const page of await filesOf('.html', '.css')) {
      const text = await readFile(join(WEB, page), 'utf8');
      const references = [
        ...text.matchAll(/(?:src|href)="([^"]*)"|url\(\s*["']?([^"')]*)|@import\s+["']([^"']*)/g),
      ]
        .map(([, attribute, url, imported]) => attribute ?? url ?? imported ?? '')
        .filter((reference) => /^(?:[a-z]+:)?\/\//i.test(reference));

      expect(references, page).to.deep.equal([]);
    }
  });
});

/** What the page is drawn and run with. */
async function filesOfPage(extension: string): Promise<readonly string[]> {
  const html = await readFile(join(WEB, 'index.html'), 'utf8');
  const tags = html.match(/<script[^>]*>|<link rel="(?:stylesheet|modulepreload)"[^>]*>/g) ?? [];
  const paths = tags.map((tag) => /(?:src|href)="\.\/([^"]*)"/.exec(tag)?.[1] ?? '');
  return paths.filter((path) => path.endsWith(extension));
}

/** The scripts, and the modules that they import before they run. */
async function scriptsFrom(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  const waiting = [...paths];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const code = await readFile(join(WEB, path), 'utf8');
    const imports = code.matchAll(/(?:^|[;}\n])(?:import|export)(?:[^;'"()]*from)?["']\.\/([^"']+\.js)["']/g);
    for (const [, name = ''] of imports) waiting.push(join(path, '..', name));
  }
  return [...found];
}

/** Compressed, as browsers get them. */
async function transferredBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(WEB, `${file}.br`))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function filesOf(...extensions: readonly string[]): Promise<readonly string[]> {
  const paths = await readdir(WEB, { recursive: true });
  return paths.filter((path) => extensions.includes(extname(path)));
}
