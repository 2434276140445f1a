import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/open-sqlite-database.ts';
import { exifBlock } from '../support/fixtures/exif.ts';
import { pngPicture } from '../support/fixtures/pictures.ts';
import { gif, gifFrame } from '../support/kinds/gif-blocks.ts';
import { EXIF, flatAnimation, flatVp8l, vp8x, webp, webpChunk } from '../support/kinds/webp-chunks.ts';
import type { CommandResult } from '../support/servers/command-in-process.ts';
import { ServiceFolder } from '../support/servers/service-folder.ts';
import { blobFolder, databaseFile } from '../support/servers/service-process.ts';

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

  async function recordsIn(exported: string): Promise<ReadonlyArray<Record<string, unknown>>> {
    const lines = (await readFile(join(exported, 'records.ndjson'), 'utf8')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('imports the types that the configuration accepts, and the others when it accepts them', async () => {
    const first = await run(['import', '--direct', pictures, '--format', 'json']);
    expect(first, first.stderr).to.include({ code: 0 });
    expect(reportOf(first)).to.include({ created: 1, refused: 3 });

    const second = await run(['import', '--direct', pictures, '--format', 'json'], FORMATS);
    expect(reportOf(second), second.stderr).to.include({ created: 3, present: 1, refused: 0 });
  });

  it('verifies, reindexes and exports them, whatever is accepted now', async () => {
    const knex = openSqliteDatabase(databaseFile(folder.path));
    await knex('image_metadata').update({ capture: null });
    await knex.destroy();
    expect((await run(['reindex'])).code).to.equal(0);
    const verified = await run(['verify']);
    expect(verified, verified.stdout).to.include({ code: 0 });

    const out = join(folder.path, 'out');
    expect((await run(['export', '--direct', out])).code).to.equal(0);
    const names = (await readdir(out)).filter((name) => name !== 'records.ndjson').sort();
    expect(names).to.deep.equal(Object.keys(files).sort());
    for (const name of names) {
      expect(Buffer.compare(await readFile(join(out, name)), files[name] as Buffer)).to.equal(0);
    }
    const facts = (await recordsIn(out)).map(({ mediaType, frames, width, metadata }) => [
      mediaType,
      frames,
      width,
      (metadata as { capture?: { model?: string } }).capture?.model,
    ]);
    expect(facts).to.have.deep.members([
      ['image/png', 1, 16, null],
      ['image/gif', 2, 640, null],
      ['image/webp', 3, 40, null],
      ['image/webp', 1, 30, 'Lumix'],
    ]);
  });

  it('transfers them with their frames', async () => {
    const there = join(folder.path, 'there');
    const to = { DATABASE_URL: `sqlite:${databaseFile(there)}`, BLOB_STORE_URL: `file:${blobFolder(there)}` };
    const targets = ['--to-database', to.DATABASE_URL, '--to-blobs', to.BLOB_STORE_URL];
    const result = await run(['transfer', ...targets, '--verify']);
    expect(result, result.stderr).to.include({ code: 0 });

    const out = join(folder.path, 'out-there');
    expect((await run(['export', '--direct', out], to)).code).to.equal(0);
    const frames = (await recordsIn(out)).map((record) => record['frames']);
    expect(frames).to.have.members([1, 1, 2, 3]);
    await rm(out, { recursive: true });
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
