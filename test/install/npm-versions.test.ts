import { copyFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandBlocks } from '../docs/command-blocks.ts';
import { packedPackage } from '../support/fixtures/installed-package.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { type Newcomer, newcomerWith } from '../support/servers/npm-versions.ts';
import { PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

/** Combinations that npm supports. npm 12 runs only install scripts that are allowed. */
const VERSIONS = [
  ['20.19', '11'],
  ['22', '12'],
  ['24', '12'],
] as const;

/** Needs the driver of SQLite, ends by itself, and writes only into `./data`. */
const TRIAL = 'IDP_DOMAIN=https://id.example/ IDP_AUDIENCE=images';
const MIGRATED = /"migrations":\["0001-/;

const blocks = commandBlocks('README.md', await readFile(join(PROJECT_FOLDER, 'README.md'), 'utf8'));

/** The lines of README.md that match. */
function linesOfReadme(pattern: RegExp): readonly string[] {
  return blocks.flatMap(({ text }) => text.split('\n')).filter((line) => pattern.test(line));
}

describe('The lines of README.md, in an empty folder with an empty cache', function () {
  this.timeout(LONG_TEST_MS);

  let packed: { readonly tarball: string; readonly name: string } & TemporaryFolder;
  let home: TemporaryFolder;

  before(async () => {
    packed = await packedPackage(PROJECT_FOLDER);
  });

  after(() => packed?.remove());

  beforeEach(async () => {
    home = await temporaryFolder();
  });

  afterEach(() => home.remove());

  async function newcomer(node: string, npm: string): Promise<Newcomer> {
    const person = await newcomerWith(node, npm, home.path);
    await copyFile(packed.tarball, join(person.folder, packed.name));
    return person;
  }

  for (const [node, npm] of VERSIONS) {
    it(`install the service with npm ${npm} and Node.js ${node}`, async () => {
      const { run } = await newcomer(node, npm);
      const install = linesOfReadme(/^npm (?:init|install) /);
      const { code, stdout, stderr } = await run(
        [...install, `${TRIAL} npx --no -- image-catalog migrate`].join('\n'),
      );

      expect(install).to.have.length(2);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(MIGRATED);
    });
  }

  for (const [node, npm] of VERSIONS.slice(0, 2)) {
    it(`run it at once with npm ${npm} and Node.js ${node}`, async () => {
      const { run } = await newcomer(node, npm);
      const [line = '', ...others] = linesOfReadme(/^npx .*\.tgz demo$/);
      const { code, stdout, stderr } = await run(`${TRIAL} ${line.replace(/demo$/, 'migrate')}`);

      expect(others).to.deep.equal([]);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(MIGRATED);
    });
  }

  it('can be made good by the printed command if npm 12 has run no script', async () => {
    const { run, folder } = await newcomer('22', '12');
    await run(`npm init -y && npm install ./${packed.name}`);
    const refused = await run(`${TRIAL} npx --no -- image-catalog migrate`);
    const command = /: run (npm --prefix .* run install)\n/.exec(refused.stderr)?.[1];
    await rm(join(folder, 'data'), { recursive: true, force: true });
    const { code, stdout, stderr } = await run(`${command}\n${TRIAL} npx --no -- image-catalog migrate`);

    expect(refused.code, refused.stderr).to.equal(78);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(MIGRATED);
  });
});

describe('npm ci in a clone', function () {
  this.timeout(LONG_TEST_MS);

  it('installs and builds with npm 12, and leaves no script to review', async () => {
    const home = await temporaryFolder();
    const { run } = await newcomerWith('22', '12', home.path);
    const { code, stdout, stderr } = await run(
      `git clone --quiet '${PROJECT_FOLDER}' clone && cd clone && npm ci && ${TRIAL} node bin/image-catalog.cjs migrate`,
    );
    await home.remove();

    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(MIGRATED);
    expect(stderr).to.not.include('install-scripts');
  });
});
