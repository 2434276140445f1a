import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { jpegPicture } from '../support/fixtures/pictures.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { TestService } from '../support/http/test-service.ts';
import { openSqliteAndFiles } from '../support/http/test-storage.ts';
import { skipAloud } from '../support/skipped/skip-aloud.ts';

const GIB = 1024 ** 3;
const LARGE = 4 * GIB + 4_096;
const ZEROS = Buffer.alloc(1024 ** 2);

describe('An archive of more than 4 GiB', () => {
  let service: TestService;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let peakBytes: number;
  let length: number;

  before(async () => {
    folder = await temporaryFolder();
    service = await TestService.start({ openStorage: openSqliteAndFiles });
    const small = await jpegPicture(40, 30);
    await addSparse('large.jpg', LARGE);
    const ids = [1, (await service.upload(small, 'small.jpg')).id, 99];
    ({ peakBytes, length } = await download(ids, join(folder.path, 'images.zip')));
  });

  after(async () => {
    await service.stop();
    await folder.remove();
  });

  /** A blob without allocated blocks. */
  async function addSparse(originalName: string, size: number): Promise<void> {
    const { uuid } = await service.storage.images.in(COMMON_SPACE).add(newImage({ originalName, size }));
    const blobs = (service.storage.environment['BLOB_STORE_URL'] ?? '').slice('file:'.length);
    const path = join(blobs, uuid.slice(0, 2), uuid);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
    await truncate(path, size);
  }

  /** Leaves holes where the archive has zeros. */
  async function download(
    ids: readonly number[],
    path: string,
  ): Promise<{ readonly peakBytes: number; readonly length: number }> {
    const headers = { Authorization: service.bearer, 'Content-Type': 'application/json' };
    const sent = request(`${service.url}/api/images/archive`, { method: 'POST', headers });
    sent.end(JSON.stringify({ ids }));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const file = await open(path, 'w');
    const begun = process.memoryUsage().rss;
    let [position, peak] = [0, begun];
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (!chunk.equals(ZEROS.subarray(0, chunk.length))) await file.write(chunk, 0, chunk.length, position);
      position += chunk.length;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    await file.truncate(position);
    await file.close();
    expect(response.complete).to.equal(true);
    expect(String(position)).to.equal(response.headers['content-length']);
    return { peakBytes: peak - begun, length: position };
  }

  it('has the promised length', () => {
    expect(length).to.be.greaterThan(LARGE);
  });

  it('takes no more memory than a small one', () => {
    expect(peakBytes).to.be.lessThan(150 * 1024 ** 2);
  });

  for (const [tool, probe, args, listed] of [
    ['unzip', ['-v'], ['-tqq', 'images.zip', 'small.jpg', 'missing.txt'], ''],
    ['unzip', ['-v'], ['-Z1', 'images.zip'], 'large.jpg\nsmall.jpg\nmissing.txt\n'],
    [
      'python3',
      ['-c', 'import zipfile'],
      [
        '-c',
        "import zipfile; z = zipfile.ZipFile('images.zip'); assert z.testzip() is None; print(*[i.file_size for i in z.infolist()][:1])",
      ],
      `${LARGE}\n`,
    ],
    ['bsdtar', ['--version'], ['-tf', 'images.zip'], 'large.jpg\nsmall.jpg\nmissing.txt\n'],
    ['bsdtar', ['--version'], ['-xOf', 'images.zip', 'missing.txt'], '99\n'],
  ] as const) {
    it(`is read by ${tool} ${args[0]}`, function () {
      if (spawnSync(tool, [...probe]).status !== 0) skipAloud(this, `${tool} is not installed`);
      const { status, stdout, stderr } = spawnSync(tool, [...args], { cwd: folder.path, encoding: 'utf8' });
      expect([status, stdout], stderr).to.deep.equal([0, listed]);
    });
  }
});
