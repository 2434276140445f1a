import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { exifBlock } from '../support/fixtures/exif.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { gif, gifFrame } from '../support/kinds/gif-blocks.ts';
import { EXIF, flatAnimation, flatVp8l, vp8x, webp, webpChunk } from '../support/kinds/webp-chunks.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { databaseFile } from '../support/servers/service-process.ts';

const FORMATS = { INPUT_FORMATS: 'jpeg,png,webp,gif' };

describe('commands on a catalog with WebP and GIF', () => {
  let folder: ServiceFolder;
  let pictures: string;
  let files: Readonly<Record<string, Buffer>>;

  before(async () => {
    folder = await ServiceFolder.open();
    pictures = join(folder.path, 'pictures');
    files = await sampleFiles();
    await mkdir(pictures);
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(pictures, name), bytes);
  });

  after(() => folder?.close());

  async function run(
    args: readonly string[],
    environment: Record<string, string> = {},
  ): Promise<CommandResult> {
    return await folder.run([...args], environment);
  }

  it('imports the types that the configuration accepts, and the others when it accepts them', async () => {
    const first = await run(['import', '--direct', pictures, '--format', 'json']);
    expect(first, first.stderr).to.include({ code: 0 });
    expect(reportOf(first)).to.include({ created: 1, refused: 3 });

    const second = await run(['import', '--direct', pictures, '--format', 'json'], FORMATS);
    expect(reportOf(second), second.stderr).to.include({ created: 3, present: 1, refused: 0 });
  });

  it('verifies and reindexes them, whatever is accepted now', async () => {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    await knex('image_metadata').update({ capture: null });
    expect((await run(['reindex'])).code).to.equal(0);
    const captures = await knex('image_metadata').pluck<ReadonlyArray<string | null>>('capture');
    await knex.destroy();

    expect(captures.filter((capture) => capture?.includes('Lumix'))).to.have.length(1);
    const verified = await run(['verify']);
    expect(verified, verified.stdout).to.include({ code: 0 });
  });
});

function reportOf({ stdout }: CommandResult): unknown {
  return (JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { readonly report: unknown }).report;
}

async function sampleFiles(): Promise<Readonly<Record<string, Buffer>>> {
  const box = { width: 40, height: 30 };
  const exif = exifBlock({ image: { 0x0110: 'Lumix', 0x0112: 6 } });
  return {
    'cat.png': await pngPicture(),
    'cat.gif': gif({ width: 640, height: 480 }, [gifFrame(box), gifFrame(box)]),
    'cats.webp': flatAnimation(box, 3),
    'side.webp': webp([vp8x(box, EXIF), flatVp8l(box), webpChunk('EXIF', exif)]),
  };
}
