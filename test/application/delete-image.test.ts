import { expect } from 'chai';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { ImageNotFound, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { failing, recorded } from '../support/doubles/intercepted.ts';
import { RecordingEventLog } from '../support/doubles/recording-event-log.ts';
import { jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

describe('DeleteImage', () => {
  let images: InMemoryImageRepository;
  let blobs: InMemoryBlobStore;
  let renditions: InMemoryRenditionCache;
  let log: RecordingEventLog;
  let deleteImage: DeleteImage;
  let image: Image;

  beforeEach(async () => {
    images = new InMemoryImageRepository(new ManualClock());
    blobs = new InMemoryBlobStore();
    renditions = new InMemoryRenditionCache();
    log = new RecordingEventLog();
    deleteImage = new DeleteImage(images, { blobs, renditions });
    image = await images.in(COMMON_SPACE).add(newImage());
    const limits = { maxBytes: 1000, checkHead: (): void => {} };
    await blobs.put(image.uuid, await new InMemoryStagingArea().receive(streamOf(jpegBytes()), limits));
  });

  it('removes the record before the bytes', async () => {
    const calls: string[] = [];
    const bytes = { blobs: recorded(blobs, calls), renditions: recorded(renditions, calls) };

    await new DeleteImage(recorded(images, calls), bytes).execute(COMMON_SPACE, image.id, { log });

    expect(calls.slice(0, 2)).to.deep.equal(['findById', 'removeById']);
    expect(calls.slice(2)).to.have.members(['remove', 'removeAllOf']);
  });

  it('succeeds for exactly one of several concurrent callers', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => deleteImage.execute(COMMON_SPACE, image.id, { log })),
    );

    const refusals = outcomes.flatMap((outcome): unknown[] =>
      outcome.status === 'rejected' ? [outcome.reason] : [],
    );
    expect(refusals).to.have.length(4);
    for (const refusal of refusals) expect(refusal).to.be.instanceOf(ImageNotFound);
  });

  const failure = new StorageUnavailable();
  for (const [what, portsOf] of [
    ['blob', () => ({ blobs: failing(blobs, 'remove', failure), renditions })],
    ['renditions', () => ({ blobs, renditions: failing(renditions, 'removeAllOf', failure) })],
  ] as const) {
    it(`succeeds if only the ${what} cannot be removed, and logs a warning`, async () => {
      await renditions.put({ uuid: image.uuid, name: 'small.jpg' }, jpegBytes());

      await new DeleteImage(images, portsOf()).execute(COMMON_SPACE, image.id, { log });

      const left = [await images.count(), blobs.keys.length, renditions.keys.length];
      expect(left).to.deep.equal(what === 'blob' ? [0, 1, 0] : [0, 0, 1]);
      expect(log.warnings.map(({ facts }) => facts)).to.deep.equal([
        { err: failure, imageId: image.id, blobKey: image.uuid },
      ]);
    });
  }
});
