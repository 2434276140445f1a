import { expect } from 'chai';
import { type ChangePorts, changeUseCasesOf } from '../../src/application/changes/change-use-cases.ts';
import { PortionQueue } from '../../src/application/concurrency/portion-queue.ts';
import { subjectSlots } from '../../src/application/concurrency/subject-slots.ts';
import { DeleteImage } from '../../src/application/delete-image.ts';
import { ArchiveImages } from '../../src/application/files/archive-images.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { CountPeriods } from '../../src/application/find/count-periods.ts';
import { FindSimilar } from '../../src/application/find/find-similar.ts';
import { ListImages } from '../../src/application/find/list-images.ts';
import { EditImages } from '../../src/application/metadata/edit-images.ts';
import { EditMetadata } from '../../src/application/metadata/edit-metadata.ts';
import { ListNames } from '../../src/application/names/list-names.ts';
import { EraseImage } from '../../src/application/trash/erase-image.ts';
import { ListTrash } from '../../src/application/trash/list-trash.ts';
import {
  type UseCaseOptions,
  type UseCasePorts,
  type UseCases,
  useCasesOf,
} from '../../src/application/use-cases.ts';
import { ImageNotFound } from '../../src/domain/errors.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { NO_METADATA } from '../../src/domain/image/metadata.ts';
import { Calendar } from '../../src/domain/image/time/calendar.ts';
import type { Name } from '../../src/domain/name/name.ts';
import type { Space } from '../../src/domain/space/space.ts';
import { InMemoryBlobStore } from '../support/doubles/in-memory-blob-store.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { InMemoryMetadata } from '../support/doubles/in-memory-metadata.ts';
import { InMemoryRenditionCache } from '../support/doubles/in-memory-rendition-cache.ts';
import { InMemorySearch } from '../support/doubles/in-memory-search.ts';
import { InMemorySimilarImages } from '../support/doubles/in-memory-similar-images.ts';
import { InMemoryStagingArea } from '../support/doubles/in-memory-staging-area.ts';
import { type LinkProcess, linkProcess } from '../support/doubles/links.ts';
import { RecordingEventLog } from '../support/doubles/recording-event-log.ts';
import { CALLER, NO_TIMER, newSearches } from '../support/doubles/staying.ts';
import { collect, jpegBytes, streamOf } from '../support/fixtures/bytes.ts';
import { imageHashes } from '../support/fixtures/image-hashes.ts';
import { itemsOf } from '../support/fixtures/items-of.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { wholePage } from '../support/fixtures/whole-page.ts';
import { ManualClock } from '../support/time/manual-clock.ts';

const CATS = 'cats' as Space;
const DOGS = 'dogs' as Space;
/** No image has had this id. */
const UNKNOWN = 99;
const DIGEST = 'a'.repeat(64);
const OLDEST_FIRST = { filter: {}, sort: { by: 'created', order: 'asc' } } as const;

/** Each has a name in both spaces. */
const HERO = 'hero' as Name;

let images: InMemoryImageRepository;
let metadata: InMemoryMetadata;
let blobs: InMemoryBlobStore;
let links: LinkProcess;
let listImages: ListImages;
let findSimilar: FindSimilar;
let archiveImages: ArchiveImages;
/** One picture in either space: equal bytes, the same tag in two spellings. */
let cat: CatalogImage;
let dog: CatalogImage;

async function addTo(space: Space, tag: string): Promise<CatalogImage> {
  const bytes = jpegBytes();
  const image = newImage({ sha256: DIGEST, size: bytes.length, hashes: imageHashes() });
  const limits = { maxBytes: 1000, checkHead: (): void => {} };
  await blobs.put(image.uuid, await new InMemoryStagingArea().receive(streamOf(bytes), limits));
  const name = { name: HERO };
  return await images.in(space).add(image, undefined, { ...NO_METADATA, tags: [tag] }, space, name);
}

function useTwoSpaces(): void {
  beforeEach(async () => {
    const clock = new ManualClock();
    images = new InMemoryImageRepository(clock);
    metadata = new InMemoryMetadata(images);
    blobs = new InMemoryBlobStore();
    links = linkProcess(images, new InMemoryLinkKeys(), clock);
    listImages = new ListImages(new InMemorySearch(images), images.spaces, newSearches(), NO_TIMER);
    findSimilar = new FindSimilar(images, new InMemorySimilarImages(images), newSearches());
    archiveImages = new ArchiveImages(images, new OpenImageFile(images, blobs), new Calendar('UTC'), clock);
    cat = await addTo(CATS, 'Pet');
    dog = await addTo(DOGS, 'pet');
    for (const space of [CATS, DOGS]) {
      await images.in(space).removeById((await addTo(space, 'gone')).id, undefined, 'trash');
    }
  });
}

/** As they are made of any ports: constructors only assign. */
const USE_CASES = Object.keys(
  useCasesOf({} as UseCasePorts, {
    ...({} as UseCaseOptions),
    changes: changeUseCasesOf({} as ChangePorts),
    watchFiles: (files) => files,
    watchRenditions: (renditions) => renditions,
  }),
);

/** What a client of the space does with an id. */
const WITH_AN_ID: Readonly<Partial<Record<keyof UseCases, (space: Space, id: number) => unknown>>> = {
  archiveImages: async (space, id) => await archiveImages.execute(space, [id]),
  deleteImage: async (space, id) => {
    const log = new RecordingEventLog();
    await new DeleteImage(images, { blobs, renditions: new InMemoryRenditionCache() }).execute(space, id, {
      log,
    });
  },
  editImages: async (space, id) =>
    await new EditImages(metadata, new PortionQueue(subjectSlots('edits', 1, 1), NO_TIMER)).execute(
      space,
      [id],
      { title: 'New' },
      CALLER,
    ),
  editMetadata: async (space, id) =>
    await new EditMetadata(metadata).execute(space, id, () => ({ title: 'New' })),
  findSimilar: async (space, id) => await findSimilar.report(space, id),
  makeLinks: async (space, id) =>
    await links.makeLinks.execute(space, { ids: [id], files: [{}], page: { title: null }, ttlSeconds: 3600 }),
};

/** What a client of the space does with the id of an image in the trash. */
const WITH_A_TRASHED_ID: typeof WITH_AN_ID = {
  eraseImage: async (space, id) => {
    const eraseImage = new EraseImage(images.trash, { blobs, renditions: new InMemoryRenditionCache() });
    await eraseImage.execute(space, id, { log: new RecordingEventLog() });
  },
};

/** What a client of the space gets without an id: the ids of the images, or their number. */
const WITHOUT_AN_ID: Readonly<Partial<Record<keyof UseCases, (space: Space) => unknown>>> = {
  countPeriods: async (space) => {
    const countPeriods = new CountPeriods(new InMemorySearch(images), newSearches(), NO_TIMER);
    const ofFiltered = await countPeriods.execute(space, 'year', { mediaType: 'image/jpeg' }, CALLER);
    return [ofFiltered, await countPeriods.execute(space, 'year', {}, CALLER)].map(([year]) => year?.count);
  },
  listImages: async (space) => {
    const page = itemsOf(await wholePage(listImages.page(space, { ...OLDEST_FIRST, limit: 10 }, CALLER)));
    const filtered = await listImages.count(space, { mediaType: 'image/jpeg' }, CALLER);
    const batches: Array<readonly CatalogImage[]> = [];
    for await (const batch of listImages.batches(space, OLDEST_FIRST, CALLER)) batches.push(batch);
    return [page, batches.flat(), filtered, await listImages.count(space, {}, CALLER)];
  },
  listNames: async (space) => {
    const listNames = new ListNames(images.names, newSearches());
    const batches: unknown[] = [];
    for await (const batch of listNames.batches(space, { prefix: '' }, CALLER)) batches.push(batch);
    return [batches, await listNames.page(space, { prefix: 'h', limit: 1 })];
  },
  listTrash: async (space) => await new ListTrash(images.trash, newSearches()).page(space, { limit: 10 }),
};

/** Every holder of a link may read, and images that were found in a space are opened. */
const WITHOUT_A_SPACE: ReadonlyArray<keyof UseCases> = [
  'openImageFile',
  'openLink',
  'openNamedLink',
  'openPage',
  'openRendition',
  'openTicket',
  'prerenderUploads',
];

/** With keys and quotas, with the feed, or with the contract of names. */
const TESTED_ELSEWHERE: ReadonlyArray<keyof UseCases> = [
  'admitUpload',
  'changeTail',
  'followChanges',
  'makeTickets',
  'manageWebhooks',
  'readChanges',
  'searches',
  'uploadByTicket',
  'uploadImage',
  'uploadImageOnce',
];

/** The id is not part of it. */
async function outcomeOf(work: () => unknown, id: number): Promise<string> {
  const shown = (_: string, value: unknown): unknown => {
    if (value instanceof Map) return [...value];
    return value === id ? 'the id' : value;
  };
  try {
    return JSON.stringify(await work(), shown);
  } catch (error) {
    return String(error);
  }
}

async function stateOfCat(): Promise<unknown> {
  const { position } = (await images.changes.readPage(undefined, 10))?.changes.at(-1) ?? {};
  return [await images.findById(cat.id), images.metadataOf(cat.id), blobs.keys, position];
}

describe('Use cases in a space', () => {
  useTwoSpaces();

  for (const [name, execute] of Object.entries(WITH_AN_ID)) {
    it(`${name} takes the id of another space's image for an unknown one`, async () => {
      const before = await stateOfCat();

      const ofAnother = await outcomeOf(() => execute(DOGS, cat.id), cat.id);

      expect(ofAnother).to.equal(await outcomeOf(() => execute(DOGS, UNKNOWN), UNKNOWN));
      expect(await stateOfCat()).to.deep.equal(before);
      expect(await outcomeOf(() => execute(CATS, cat.id), cat.id)).not.to.equal(ofAnother);
    });
  }

  for (const [name, execute] of Object.entries(WITH_A_TRASHED_ID)) {
    it(`${name} takes the id of an image in another space's trash for an unknown one`, async () => {
      await images.in(CATS).removeById(cat.id, undefined, 'trash');
      const before = [images.trash.all(), blobs.keys];

      const ofAnother = await outcomeOf(() => execute(DOGS, cat.id), cat.id);

      expect(ofAnother).to.equal(await outcomeOf(() => execute(DOGS, UNKNOWN), UNKNOWN));
      expect([images.trash.all(), blobs.keys]).to.deep.equal(before);
      expect(await outcomeOf(() => execute(CATS, cat.id), cat.id)).not.to.equal(ofAnother);
    });
  }

  for (const [name, execute] of Object.entries(WITHOUT_AN_ID)) {
    it(`${name} concerns the images of the space alone`, async () => {
      const before = await outcomeOf(() => execute(DOGS), dog.id);
      await addTo(CATS, 'cat');

      expect(await outcomeOf(() => execute(DOGS), dog.id)).to.equal(before);
      expect(await outcomeOf(() => execute(CATS), cat.id)).not.to.equal(before);
    });
  }

  it('are tested each, if they take a space', () => {
    const tested = [WITH_AN_ID, WITH_A_TRASHED_ID, WITHOUT_AN_ID].flatMap(Object.keys);
    const named = [...tested, ...WITHOUT_A_SPACE, ...TESTED_ELSEWHERE];
    expect(named).to.have.members(USE_CASES);
  });

  it('judge no condition over an image of another space', async () => {
    const deleteImage = new DeleteImage(images, { blobs, renditions: new InMemoryRenditionCache() });
    const options = { log: new RecordingEventLog(), matches: () => false };
    const never = (): boolean => false;

    const refusals = await Promise.all([
      rejection(deleteImage.execute(DOGS, cat.id, options)),
      rejection(new EditMetadata(metadata).execute(DOGS, cat.id, () => ({ title: 'New' }), never)),
    ]);

    for (const refusal of refusals) expect(refusal).to.be.instanceOf(ImageNotFound);
  });

  it('give the images of the space', async () => {
    const page = itemsOf(await wholePage(listImages.page(DOGS, { ...OLDEST_FIRST, limit: 10 }, CALLER)));
    expect(page).to.deep.equal([dog]);
  });

  it('find similar images in the space', async () => {
    const twin = await addTo(DOGS, 'pet');

    const found = await findSimilar.report(DOGS, dog.id);

    expect(found.map(({ image }) => image.id)).to.deep.equal([twin.id]);
  });

  it('archive what is there, and leave out the images of others', async () => {
    const { entries, first } = await archiveImages.execute(DOGS, [cat.id, dog.id]);

    expect(entries.map(({ image }) => image.id)).to.deep.equal([dog.id]);
    expect(await collect(first.read())).to.deep.equal(jpegBytes());
  });

  it('open a link for every holder', async () => {
    const { images: made } = await links.makeLinks.execute(CATS, {
      ids: [cat.id],
      files: [{}],
      ttlSeconds: 3600,
    });
    const [link] = made?.links.get(cat.id) ?? [];
    const segments = { id: String(link?.id), fileName: link?.fileName ?? '', mac: link?.mac ?? '' };

    const { image } = await links.openLink.execute({ ...segments, expiry: String(link?.expiry) });

    expect(image.id).to.equal(cat.id);
  });

  it('count an empty space as empty', async () => {
    expect(await listImages.count('birds' as Space, {}, CALLER)).to.equal(0);
  });
});
