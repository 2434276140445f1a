import { expect } from 'chai';
import { ReindexCatalog } from '../../src/application/maintenance/reindex-catalog.ts';
import type { BlobStorage } from '../../src/domain/ports/bytes/blob-store.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeImageInspector } from '../support/doubles/fake-image-inspector.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { intercepted } from '../support/doubles/intercepted.ts';
import { jpegBytes } from '../support/fixtures/bytes.ts';

describe('ReindexCatalog', () => {
  it('reports nothing for an image that is deleted while it is read', async () => {
    const { images, blobs, addImage } = new CatalogDoubles();
    const { id, uuid } = await addImage(jpegBytes(), {});
    const deleting = intercepted<BlobStorage>(blobs, async (method, proceed) => {
      if (method === 'find') await Promise.all([images.in(COMMON_SPACE).removeById(id), blobs.remove(uuid)]);
      return await proceed();
    });
    const catalog = {
      images,
      metadata: new InMemoryMetadata(images),
      hashes: new InMemorySimilarImages(images),
    };
    const reindex = new ReindexCatalog(catalog, deleting, new FakeImageInspector());

    const found = [];
    for await (const { finding } of reindex.records()) found.push(finding);

    expect(found).to.deep.equal([undefined]);
  });

  it('reads images as stored pictures, so that rules for uploads do not apply to them', async () => {
    const { images, blobs, addImage } = new CatalogDoubles();
    await addImage(jpegBytes(), {});
    const [metadata, hashes] = [new InMemoryMetadata(images), new InMemorySimilarImages(images)];
    const inspector = new FakeImageInspector();

    for await (const _ of new ReindexCatalog({ images, metadata, hashes }, blobs, inspector).records());

    expect(inspector.requesters.map(({ isStored }) => isStored)).to.deep.equal([true]);
  });
});
