import { expect } from 'chai';
import { type Archive, ArchiveImages } from '../../src/application/files/archive-images.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { ImageNotFound, StorageUnavailable } from '../../src/domain/errors.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { collect, jpegBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { countTurns } from '../support/time/count-turns.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const BYTES = jpegBytes();

let { images, blobs, addImage } = new CatalogDoubles();

function archiveImages(records = images): ArchiveImages {
  const openImageFile = new OpenImageFile(images, blobs);
  return new ArchiveImages(records, openImageFile, new Calendar('Europe/Berlin'), new ManualClock());
}

async function trash({ id }: CatalogImage): Promise<void> {
  await images.in(COMMON_SPACE).removeById(id, undefined, 'trash');
}

describe('ArchiveImages', () => {
  let [one, two]: CatalogImage[] = [];

  beforeEach(async () => {
    ({ images, blobs, addImage } = new CatalogDoubles());
    [one, two] = [await addImage(), await addImage()];
  });

  async function archive(): Promise<Archive> {
    return await archiveImages().execute(COMMON_SPACE, [one?.id ?? 0, two?.id ?? 0]);
  }

  it('opens each image when its turn comes', async () => {
    const { first, open } = await archive();
    expect(await collect(first.read())).to.deep.equal(BYTES);
    const second = await open(two as CatalogImage);
    expect(second && (await collect(second.read()))).to.deep.equal(BYTES);
    expect(blobs.openCount).to.equal(0);
  });

  it('does not open an image that was trashed meanwhile, although its bytes are there', async () => {
    const { first, open } = await archive();
    await trash(two as CatalogImage);
    expect(await open(two as CatalogImage)).to.equal(undefined);
    await first.close();
    expect(blobs.openCount).to.equal(0);
  });

  it('rejects with ImageNotFound if all images are trashed before they are opened', async () => {
    const opening = archive();
    await Promise.all([trash(one as CatalogImage), trash(two as CatalogImage)]);
    expect(await rejection(opening)).to.be.instanceOf(ImageNotFound);
    expect(blobs.openCount).to.equal(0);
  });

  it('leaves nothing open if the record cannot be read', async () => {
    const broken = failing(images, 'findById', new StorageUnavailable(), 2);
    const archiving = archiveImages(broken).execute(COMMON_SPACE, [one?.id ?? 0]);
    expect(await rejection(archiving)).to.be.instanceOf(StorageUnavailable);
    expect(blobs.openCount).to.equal(0);
  });

  it('lets other work go on between portions of 5000 images', async () => {
    const ids = [one?.id ?? 0];
    while (ids.length < 5_000) ids.push((await images.in(COMMON_SPACE).add(newImage())).id);
    const turns = countTurns();
    const { entries, first } = await archiveImages().execute(COMMON_SPACE, ids);
    await first.close();
    expect(entries).to.have.length(5_000);
    // The records, and then their names and times.
    expect(turns.end()).to.be.greaterThan((2 * 5_000) / 100);
  });
});
