import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { blocksOf, pasteInto, printedLines } from '../docs/paste-blocks.ts';
import { addCompiledSqlite, installedPackage } from '../support/fixtures/installed-package.ts';
import type { TemporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { nodeOfVersion } from '../support/servers/node-versions.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { LONG_TEST_MS } from '../support/time/hang-guard.ts';

const FIRST_PICTURE = join(PROJECT_FOLDER, 'test/gallery/support/first-picture-main.ts');
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const VERSIONS = process.env.INSTALL_NODE_VERSIONS?.split(',') ?? [undefined];

/** What the service says at its start in older versions of Node.js. */
const OF_THE_VERSION = /^\[service\] warning: this version of Node\.js has a known security hole: .*\n/gm;

/** No network but the loopback interface. */
const LOOPBACK_ALONE = ['-n', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"'];

const run = promisify(execFile);

describe('The demo of the installed package', function () {
  this.timeout(LONG_TEST_MS);

  let installed: TemporaryFolder;

  before(async () => {
    const begin = performance.now();
    installed = await installedPackage(PROJECT_FOLDER);
    await addCompiledSqlite(installed.path);
    say(
      performance.now() - begin,
      'npm pack && npm install ./image-catalog-service-….tgz (sqlite3 compiled before)',
    );
  });

  after(() => installed?.remove());

  it('leads from nothing to the first picture, with the loopback interface alone', async function () {
    if (!existsSync(CHROMIUM)) skipAloud(this, `there is no ${CHROMIUM}`);
    if (!isInstalled('unshare', LOOPBACK_ALONE.concat('true'))) skipAloud(this, 'unshare is not permitted');
    const screenshot = join(installed.path, 'seen.png');
    const program = [process.execPath, '--import', 'tsx', FIRST_PICTURE, installed.path, screenshot];

    const { stdout } = await run('unshare', [...LOOPBACK_ALONE, ...program], { cwd: PROJECT_FOLDER });

    const { name, ready, signedIn, uploaded, seen, stopped } = JSON.parse(stdout) as Record<
      string,
      number | string
    >;
    for (const [second, what] of [
      [ready, 'npx --no -- image-catalog demo: the gallery listens'],
      [signedIn, 'signed in'],
      [uploaded, 'cat-chelsea.png uploaded'],
      [seen, 'and seen in Chromium'],
      [stopped, 'Ctrl-C: all has ended'],
    ] as const) {
      say(Number(second) * 1000, what);
    }
    // Nobody has written an alternative text.
    expect(name).to.equal('Picture');
    // SQLite removes its log when the last connection closes; a killed process leaves the log.
    expect(await readdir(join(installed.path, 'data')))
      .to.include('catalog.sqlite')
      .and.not.to.include('catalog.sqlite-wal');
  });

  it('works with every block of README.md and docs/getting-started.md, pasted in their order, twice', () =>
    pastesThePages(installed));

  for (const version of VERSIONS) {
    it(`runs in Node.js ${version ?? process.versions.node}`, async () => {
      const node = await nodeOfVersion(version);
      const folder = join(installed.path, `in-${version ?? 'this'}`);
      await mkdir(folder);
      const program = join(installed.path, 'node_modules/image-catalog-service/bin/image-catalog.cjs');
      const demo = NodeProcess.start([program, 'demo'], {
        cwd: folder,
        through: ['sh', '-c', 'shift && exec "$0" "$@"', node],
        env: { PORT: '0', WEB_PORT: '0' },
        lastSignal: 'SIGTERM',
      });

      const walkThrough = await demo.line((line) =>
        line.startsWith('curl -sSi -H') ? demo.stdout : undefined,
      );
      const { stdout } = await run('sh', ['-c', walkThrough.slice(walkThrough.indexOf('\n# '))]);

      expect(stdout).to.include('the same bytes');
      expect(await demo.stop('SIGINT')).to.deep.equal({ code: 0, signal: null });
      expect([demo.stderr.replaceAll(OF_THE_VERSION, ''), await readdir(folder)]).to.deep.equal([
        '',
        ['data'],
      ]);
    });
  }
});

/** As `npx ./….tgz` runs it: in a folder that has neither the sources nor the sample picture. */
async function pastesThePages(installed: TemporaryFolder): Promise<void> {
  const program = join(installed.path, 'node_modules/image-catalog-service/bin/image-catalog.cjs');
  const demo = NodeProcess.start([program, 'demo'], {
    cwd: installed.path,
    env: { PORT: '0', WEB_PORT: '0' },
    lastSignal: 'SIGTERM',
  });
  const printed = await printedLines(demo);
  const texts = [await blocksOf('README.md'), await blocksOf('docs/getting-started.md'), printed];

  const failure = await pasteInto(installed.path, [...texts, ...texts], { printed });

  expect(await demo.stop('SIGINT')).to.deep.equal({ code: 0, signal: null });
  expect(failure).to.equal(undefined);
}

function say(ms: number, what: string): void {
  console.log(`      ${(ms / 1000).toFixed(1).padStart(6)} s  ${what}`);
}
