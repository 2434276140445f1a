import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { brokenLinks } from '../support/docs/broken-links.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';

interface Packed {
  readonly files: ReadonlyArray<{ readonly path: string }>;
}

/** The files that a tarball of this package contains. Needs the build. */
async function packedFiles(folder: string): Promise<readonly string[]> {
  const args = ['pack', '--dry-run', '--ignore-scripts', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
  const [packed] = Object.values(JSON.parse(stdout) as Readonly<Record<string, Packed>>);
  if (packed === undefined) throw new TypeError('npm packs nothing');
  return packed.files.map(({ path }) => join(folder, path));
}

function foldersAbove(path: string, top: string): readonly string[] {
  const folder = dirname(path);
  return folder.length < top.length ? [] : [folder, ...foldersAbove(folder, top)];
}

for (const name of ['.', 'client', 'mcp']) {
  describe(`The tarball of ${name}`, () => {
    it('has no page with a link to a file that it lacks', async () => {
      const folder = join(PROJECT_FOLDER, name);
      const files = await packedFiles(folder);
      const paths = new Set(files.flatMap((file) => [file, ...foldersAbove(file, folder)]));
      const pages = files.filter((file) => file.endsWith('.md'));

      const broken = pages.flatMap((page) => brokenLinks(page, (path) => paths.has(path)));

      expect(pages).not.to.deep.equal([]);
      expect(broken.map(({ page, target }) => `${page.slice(folder.length)}: ${target}`)).to.deep.equal([]);
    });
  });
}
