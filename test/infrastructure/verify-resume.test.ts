import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import { NodeHasher } from '../../src/adapters/system/node-hasher.ts';
import { type Finding, VerifyCatalog } from '../../src/application/maintenance/verify-catalog.ts';
import { parseBlobKey } from '../../src/domain/image/blob-key.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { type VerifyOptions, verifyStorage } from '../../src/infrastructure/commands/verify.ts';
import { parseStorageConfig } from '../../src/infrastructure/config/config.ts';
import { createStorageContainer } from '../../src/infrastructure/create-storage-container.ts';
import { TOKENS } from '../../src/infrastructure/tokens.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { type TemporaryFolder, temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const HOUR_MS = 3_600_000;

describe('verify --resume', () => {
  let folder: TemporaryFolder;
  let clock: ManualClock;
  let images: InMemoryImageRepository;
  let blobs: InMemoryBlobStore;

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new ManualClock();
    images = new InMemoryImageRepository(clock);
    blobs = new InMemoryBlobStore(0, clock);
    for (const digits of ['00', '7f', 'ff']) await addOrphan(digits);
    clock.advance(HOUR_MS);
  });

  afterEach(async () => await folder.remove());

  async function addOrphan(digits: string): Promise<void> {
    const limits = { maxBytes: 1000, checkHead: () => {} };
    const staged = await new InMemoryStagingArea().receive(streamOf(jpegBytes()), limits);
    await blobs.put(parseBlobKey(`${digits}000000-0000-4000-8000-000000000000`), staged);
  }

  /** Resolves to the first digits of the orphaned blobs that it prints, and to the number of all findings. */
  async function verified(store: BlobStorage = blobs): Promise<readonly [readonly string[], number]> {
    const { trash, spaces, names } = images;
    const catalog = { images, trash, spaces, names, blobs: store };
    const verifyCatalog = new VerifyCatalog(catalog, new FakeImageInspector(), new NodeHasher(), clock);
    const printed: string[] = [];
    const print = ({ blobKey = '' }: Finding): void => void printed.push(blobKey.slice(0, 2));
    const options: VerifyOptions = { sample: 1, resumeFile: progressFile(), print };
    const storage = createStorageContainer(parseStorageConfig({}), pino({ level: 'silent' }));
    storage.rebind(TOKENS.verifyCatalog).toConstantValue(verifyCatalog);
    storage.rebind(TOKENS.images).toConstantValue(images);
    storage.rebind(TOKENS.trash).toConstantValue(trash);
    const { findings } = await verifyStorage(storage, options);
    return [printed, findings];
  }

  function progressFile(): string {
    return join(folder.path, 'progress.json');
  }

  it('continues with the slice of the blob store in which it was ended', async () => {
    const ending = failing<BlobStorage>(blobs, 'find', new Error('killed'), 3);

    expect(String(await rejection(verified(ending)))).to.include('killed');
    expect(JSON.parse(await readFile(progressFile(), 'utf8'))).to.deep.equal({
      checked: 0,
      findings: 2,
      slices: 255,
    });
    expect(await verified()).to.deep.equal([['ff'], 3]);
  });

  it('begins again after its end', async () => {
    await verified();

    expect(await verified()).to.deep.equal([['00', '7f', 'ff'], 3]);
  });
});
