import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { NodeProcess, PROJECT_FOLDER } from '../support/servers/service-process.ts';
import { isInstalled } from '../support/skipped/is-installed.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';
import { blocksOf, pasteInto, printedLines } from './paste-blocks.ts';

const PROGRAM = join(PROJECT_FOLDER, 'bin/image-catalog.cjs');
const PAGES = ['README.md', 'docs/getting-started.md', 'docs/http-api.md'];

/** The command of this checkout stands for that of the installed package. */
const NPX = `npx() { [ "$1 $2 $3" = '--no -- image-catalog' ] && shift 3 && '${process.execPath}' '${PROGRAM}' "$@"; }\n`;

describe('The walk-throughs of README.md, the pages and the demo, in one folder', function () {
  let folder: TemporaryFolder;
  let demo: NodeProcess;
  let printed: string;

  before(function () {
    if (!isInstalled('curl')) skipAloud(this, 'curl is not installed');
  });

  beforeEach(async () => {
    folder = await temporaryFolder();
    demo = NodeProcess.start([PROGRAM, 'demo'], {
      cwd: folder.path,
      env: { PORT: '0', WEB_PORT: '0', DECODERS: '2' },
      lastSignal: 'SIGTERM',
    });
    printed = await printedLines(demo);
  });

  afterEach(async () => {
    await demo?.stop('SIGTERM');
    await folder?.remove();
  });

  async function paste(texts: readonly string[]): Promise<void> {
    expect(await pasteInto(folder.path, texts, { printed, preamble: NPX })).to.equal(undefined);
  }

  it('work twice, one after the other', async () => {
    const texts = [...(await Promise.all(PAGES.map(blocksOf))), printed];

    await paste([...texts, ...texts]);
  });

  it('work in another order, each twice in a row', async () => {
    const [readme = '', gettingStarted = '', httpApi = ''] = await Promise.all(PAGES.map(blocksOf));

    await paste([printed, gettingStarted, httpApi, readme].flatMap((text) => [text, text]));
  });

  for (const page of PAGES.slice(0, 2)) {
    it(`of ${page} work alone in a fresh folder, and save a picture`, async () => {
      await paste([await blocksOf(page)]);

      const webp = await readFile(join(folder.path, 'cat.webp'));
      expect(webp.subarray(8, 12).toString()).to.equal('WEBP');
    });
  }
});
