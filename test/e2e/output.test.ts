import { expect } from 'chai';
import { withChunks } from '../support/fixtures/embedded-chunks.ts';
import { jpegPicture, noisyPng } from '../support/fixtures/pictures.ts';
import { pngChunk } from '../support/fixtures/raw-pictures.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { RunningCatalog } from '../support/servers/running-catalog.ts';
import type { Environment } from '../support/servers/service-process.ts';

const DELETE_WARNING = 'SCOPE_DELETE is not set: every valid token may delete every image';
const RENDITIONS = ['jpeg', 'png', 'webp', 'avif'].map((format) => `width=64&format=${format}`);

/** Pictures that cause libvips warnings, with the status of their upload. */
async function damagedPictures(): Promise<
  ReadonlyArray<readonly [bytes: Uint8Array<ArrayBuffer>, status: number]>
> {
  const png = await noisyPng(100, 80);
  const jpeg = await jpegPicture(100, 80);
  // One byte is too short for any of them.
  const chunks = ['gAMA', 'cHRM', 'sBIT', 'iCCP', 'zTXt', 'eXIf'].map((type) =>
    pngChunk(type, Buffer.of(0xff)),
  );
  const pictures: ReadonlyArray<readonly [Buffer, number]> = [
    [withChunks(png, chunks), 201],
    [withGap(jpeg), 201],
    [png.subarray(0, png.length / 2), 422],
    [jpeg.subarray(0, jpeg.length / 2), 422],
  ];
  return pictures.map(([bytes, status]) => [new Uint8Array(bytes), status]);
}

/** Inserts zeros that belong to no segment after the first segment of a JPEG. */
function withGap(jpeg: Buffer): Buffer {
  const end = 4 + jpeg.readUInt16BE(4);
  return Buffer.concat([jpeg.subarray(0, end), Buffer.alloc(100), jpeg.subarray(end)]);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

describe('the output of the built service', () => {
  async function upload(catalog: RunningCatalog, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
    const form = new FormData();
    form.append('file', new Blob([bytes]), 'damaged');
    return await catalog.request('api/upload', { method: 'POST', body: form });
  }

  async function renderAll(catalog: RunningCatalog, path: string): Promise<readonly number[]> {
    const responses = RENDITIONS.map(async (query) => await catalog.request(`${path}/file?${query}`));
    return (await Promise.all(responses)).map(({ status }) => status);
  }

  it('holds only JSON lines while damaged pictures are uploaded and rendered', async () => {
    const catalog = await RunningCatalog.start({ env: { VIPS_CONCURRENCY: '5000' } });
    for (const [bytes, status] of await damagedPictures()) {
      const response = await upload(catalog, bytes);
      expect(response.status).to.equal(status);
      const path = response.headers.get('location');
      if (path !== null) expect(await renderAll(catalog, path)).to.deep.equal(RENDITIONS.map(() => 200));
    }
    await catalog.stop();
    expect(catalog.process.stderr).to.equal('');
    expect(catalog.process.stdout.split('\n').filter((line) => !isJson(line))).to.deep.equal([]);
  });

  describe('at start', () => {
    async function outputWith(env: Environment): Promise<string> {
      const catalog = await RunningCatalog.start({ env });
      await catalog.stop();
      return catalog.process.stdout;
    }

    it('warns that every token may delete, and that the decode memory cannot hold large uploads', async () => {
      const lines = (await outputWith({ DECODE_MEMORY_BYTES: '300000000' })).split('\n');
      const [ofScope, ofMemory] = ['SCOPE_DELETE', 'DECODE_MEMORY_BYTES'].map(
        (name) => JSON.parse(lines.find((line) => line.includes(name)) ?? '{}') as object,
      );
      expect(ofScope).to.include({ level: 40, msg: DELETE_WARNING });
      expect(ofMemory).to.include({ level: 40 });
    });

    it('warns of images of spaces if SPACE_CLAIM is not set any more', async () => {
      const folder = await temporaryFolder();
      const outputIn = async (env: Environment): Promise<string> => {
        const catalog = await RunningCatalog.start({ env, folder: folder.path });
        expect((await upload(catalog, new Uint8Array(await noisyPng(20, 20)))).status).to.equal(201);
        await catalog.stop();
        return catalog.process.stdout;
      };
      const [withClaim, without] = [await outputIn({ SPACE_CLAIM: 'sub' }), await outputIn({})];
      await folder.remove();

      expect(withClaim).not.to.contain('SPACE_CLAIM');
      const warning = without.split('\n').find((line) => line.includes('SPACE_CLAIM'));
      expect(JSON.parse(warning ?? '{}')).to.include({ level: 40, spaces: 1, images: 1 });
    });

    it('does not warn of deletes or large uploads if it is read-only', async () => {
      const output = await outputWith({ READ_ONLY: 'true', DECODE_MEMORY_BYTES: '300000000' });
      expect(output).not.to.match(/SCOPE_DELETE|DECODE_MEMORY_BYTES/);
    });
  });
});
