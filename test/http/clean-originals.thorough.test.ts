import { expect } from 'chai';
import type { Response } from 'supertest';
import { cleaned } from '../support/fixtures/clean-file.ts';
import { withChunks } from '../support/fixtures/embedded-chunks.ts';
import { exifBlock, withExif } from '../support/fixtures/exif.ts';
import { filePart } from '../support/fixtures/multipart.ts';
import { jpegOfSize, noisyPng } from '../support/fixtures/pictures.ts';
import { pngChunk } from '../support/fixtures/raw-pictures.ts';
import { startFor } from '../support/http/start-for.ts';
import { TestService } from '../support/http/test-service.ts';

const LARGE = 50 * 1024 * 1024;
/** The most that a clean file may have, but for those of the picture. */
const RANGES = 99_990;

/**
 * The limits on the event loop are those of all tests: see `test/support/loop`. What is expected is made in one piece, so before the
 * requests.
 */
describe('A clean original of a file that costs the most', () => {
  const service = startFor('all', () => TestService.start({ maxFileBytes: LARGE }));

  async function served(file: Buffer): Promise<Response> {
    const { id } = await service.upload(file);
    return await service.get(`/api/image/${id}/file?metadata=none`);
  }

  it('is sent piece by piece if it has 50 MiB', async () => {
    const block = exifBlock({ image: { 0x010e: 'text', 0x0112: 3 } });
    const file = withExif(await jpegOfSize(LARGE - 200), block);
    const expected = await cleaned(file);
    const { status, body } = await served(file);
    expect([status, expected.equals(body as Buffer)]).to.deep.equal([200, true]);
  });

  it('is sent piece by piece if it has as many ranges as it may have', async () => {
    const file = await tornPng(RANGES);
    const expected = await cleaned(file);
    const { status, body } = await served(file);
    expect([status, expected.equals(body as Buffer)]).to.deep.equal([200, true]);
  });

  it('of millions of tiny parts is never asked for, because the upload is refused', async () => {
    const { status, body } = await service.post([filePart(await tornPng(1_500_000))]);
    expect(status).to.equal(422);
    expect((body as { message?: string }).message).to.include('too many parts');
  });
});

/** An animated PNG: between two parts that are kept is one that is not. */
async function tornPng(pairs: number): Promise<Buffer> {
  const png = withChunks(await noisyPng(20, 10), [pngChunk('acTL', Buffer.alloc(8))]);
  const pair = Buffer.concat([pngChunk('fdAT', Buffer.alloc(4)), pngChunk('prVt')]);
  return Buffer.concat([png.subarray(0, -12), Buffer.alloc(pairs * pair.length, pair), pngChunk('IEND')]);
}
