import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PROJECT_FOLDER } from '../../support/servers/service-process.ts';

const WEB = join(PROJECT_FOLDER, 'dist/web');
const KIB = 1024;
const INITIAL_SCRIPTS_BYTES = 120 * KIB;
const STYLES_BYTES = 15 * KIB;

describe('the built gallery', () => {
  it('loads at most 120 KiB of JavaScript at first, gzipped', async () => {
    const scripts = await initialScripts(await readFile(join(WEB, 'index.html'), 'utf8'));

    expect(scripts).to.not.be.empty;
    expect(await gzippedBytes(scripts)).to.be.at.most(INITIAL_SCRIPTS_BYTES);
  });

  it('loads the gallery as one script, beside that of the bundler', async () => {
    const scripts = await initialScripts(await readFile(join(WEB, 'index.html'), 'utf8'));

    expect(scripts.filter((path) => !path.includes('rolldown-runtime'))).to.have.length(1);
  });

  it('has at most 15 KiB of CSS, gzipped, in one file: a style that could not be loaded once is not loaded again', async () => {
    const reference = await readFile(join(WEB, 'docs/index.html'), 'utf8');
    const styles = (await filesOf('.css')).filter((path) => !reference.includes(path));

    expect(styles).to.have.length(1);
    expect(await gzippedBytes(styles)).to.be.at.most(STYLES_BYTES);
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

/** The scripts of the page, and the modules that they import before they run. */
async function initialScripts(html: string): Promise<readonly string[]> {
  const found = new Set<string>();
  const waiting = [...html.matchAll(/(?:src|href)="\.?\/?([^"]+\.js)"/g)].map(([, path = '']) => path);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const code = await readFile(join(WEB, path), 'utf8');
    const imports = code.matchAll(/(?:^|[;}\n])(?:import|export)(?:[^;'"()]*from)?["']\.\/([^"']+\.js)["']/g);
    for (const [, name = ''] of imports) waiting.push(join(path, '..', name));
  }
  return [...found];
}

async function gzippedBytes(files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => gzipSync(await readFile(join(WEB, file))).length),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function filesOf(...extensions: readonly string[]): Promise<readonly string[]> {
  const paths = await readdir(WEB, { recursive: true });
  return paths.filter((path) => extensions.includes(extname(path)));
}
