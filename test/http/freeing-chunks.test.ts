import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Context } from 'koa';
import { FilesystemStagingArea } from '../../src/adapters/filesystem/filesystem-staging-area.ts';
import { freeingChunks } from '../../src/adapters/http/upload/freeing-chunks.ts';
import { receiveFile } from '../../src/adapters/http/upload/receive-file.ts';
import { type FormFile, UploadForm } from '../../src/adapters/http/upload/upload-form.ts';
import { HostProcesses } from '../../src/adapters/system/host-processes.ts';
import { SequentialUuids } from '../support/doubles/sequential-uuids.ts';
import { patternedBytes, pngBytes, streamOf } from '../support/fixtures/bytes.ts';
import { BOUNDARY, FORM_TYPE, fieldPart, filePart, multipart } from '../support/fixtures/multipart.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ManualTime } from '../support/time/manual-time.ts';

const LIMITS = { maxFileBytes: 10_000_000, timer: new ManualTime().after, stallTimeoutMs: 30_000 };

/** Each chunk has a buffer of its own, as those of Node.js. */
async function receiveForm(folder: string, form: Uint8Array, chunkSize: number): Promise<FormFile> {
  const staging = new FilesystemStagingArea(folder, new SequentialUuids(), new HostProcesses());
  const rules = { ...LIMITS, acceptedTypes: ['image/png'], takesMetadata: true } as const;
  const req = Object.assign(Readable.from(streamOf(form, chunkSize), { objectMode: false }), {
    headers: { 'content-type': FORM_TYPE, 'transfer-encoding': 'chunked' },
  });
  const ctx = { req, res: {} } as unknown as Context;
  const upload = new UploadForm(staging, rules);
  return await receiveFile(ctx, upload, { ...LIMITS, slot: { setArriving: () => {} } });
}

describe('freeingChunks', () => {
  it('frees a chunk when the next one is not used any more', () => {
    const [first, second] = [patternedBytes(65_536), patternedBytes(65_536)];
    const free = freeingChunks();

    for (const chunk of [first, second]) free(chunk);

    expect([first.byteLength, second.byteLength]).to.deep.equal([0, 65_536]);
  });

  it('keeps a buffer of which another chunk may follow', () => {
    const bytes = patternedBytes(65_536);
    const free = freeingChunks();

    for (const chunk of [bytes.subarray(0, 10_000), bytes.subarray(10_000, 60_000)]) free(chunk);

    expect(bytes.byteLength).to.equal(65_536);
  });

  it('keeps a buffer that may be the pool of Node.js', () => {
    const small = patternedBytes(Buffer.poolSize);
    const free = freeingChunks();

    for (const chunk of [small, patternedBytes(65_536)]) free(chunk);

    expect(small.byteLength).to.equal(Buffer.poolSize);
  });
});

describe('A form whose chunks are freed', () => {
  let folder: TemporaryFolder;

  beforeEach(async () => {
    folder = await temporaryFolder();
  });

  afterEach(() => folder.remove());

  for (const chunkSize of [9_001, 20_000, 65_536]) {
    it(`is received whole in chunks of ${chunkSize} bytes`, async () => {
      const nearBoundary = `\r\n--${BOUNDARY.slice(0, -1)}`;
      const bytes = pngBytes(`${nearBoundary}\r\n-`.repeat(25_000));
      const long = 'x'.repeat(30_000);
      const title = { title: 'Cat' };
      const parts = [fieldPart('a', long), filePart(bytes), fieldPart('b', long)];
      const form = new Uint8Array(multipart([...parts, fieldPart('metadata', JSON.stringify(title))]));

      const { staged, metadata } = await receiveForm(folder.path, form, chunkSize);

      expect(Buffer.compare(await readFile(staged.localPath ?? ''), bytes)).to.equal(0);
      expect(metadata).to.deep.equal(title);
    });
  }
});
