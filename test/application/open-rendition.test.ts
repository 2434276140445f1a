import { expect } from 'chai';
import { MadeFiles, type OpenedRendition } from '../../src/application/files/made-files.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { OpenRendition } from '../../src/application/files/open-rendition.ts';
import { RecentUploads } from '../../src/application/files/recent-uploads.ts';
import { ImageBeyondLimits, InvalidImage, Overloaded, StorageUnavailable } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { derivativeName, type Rendition } from '../../src/domain/image/rendition.ts';
import type { OpenedBlob } from '../../src/domain/ports/bytes/readable-bytes.ts';
import type { RenditionCache } from '../../src/domain/ports/bytes/rendition-cache.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeRenditionMaker } from '../support/doubles/fake-rendition-maker.ts';
import { InMemoryTemporaryFiles } from '../support/doubles/in-memory-temporary-files.ts';
import { failing, intercepted } from '../support/doubles/intercepted.ts';
import { collect, patternedBytes } from '../support/fixtures/bytes.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';

const SMALL: Rendition = { width: 320, fit: 'inside', format: 'webp', quality: 75 };
const LARGE: Rendition = { ...SMALL, width: 1920 };

/** The signal of a client that does not disconnect. */
function staying(): AbortSignal {
  return new AbortController().signal;
}

let { images, blobs, renditions: cache, log, addImage } = new CatalogDoubles();
let uploads: RecentUploads;
let temporaryFiles: InMemoryTemporaryFiles;
let maker: FakeRenditionMaker;
let image: Image;
let openRendition: OpenRendition;

function useCatalog(): void {
  beforeEach(async () => {
    ({ images, blobs, renditions: cache, log, addImage } = new CatalogDoubles());
    uploads = new RecentUploads(2);
    temporaryFiles = new InMemoryTemporaryFiles();
    maker = new FakeRenditionMaker();
    image = await addImage();
    openRendition = openingFrom(cache);
  });
}

function openingFrom(renditions: RenditionCache): OpenRendition {
  const files = new MadeFiles({ images, cache: renditions, temporaryFiles });
  return new OpenRendition(files, uploads, new OpenImageFile(images, blobs), maker, log);
}

async function text(opened: Promise<OpenedBlob>): Promise<string> {
  const blob = await opened;
  const read = await collect(blob.read());
  expect(blob.size).to.equal(read.byteLength);
  return new TextDecoder().decode(read);
}

async function open(rendition = SMALL, leaving: AbortSignal = staying()): Promise<OpenedBlob> {
  return (await openFrom(rendition, leaving)).bytes;
}

async function openFrom(rendition = SMALL, leaving: AbortSignal = staying()): Promise<OpenedRendition> {
  return await openRendition.execute(image, rendition, { leaving: () => leaving, subject: 'alice', log });
}

describe('OpenRendition', () => {
  useCatalog();

  it('makes a rendition once, caches it under the image with the version of the maker, and closes the original', async () => {
    expect((await openFrom()).origin).to.equal('made');
    expect(cache.keys).to.deep.equal([`${image.uuid}/v1-${derivativeName(SMALL)}`]);
    expect(blobs.openCount).to.equal(0);

    const { bytes, origin } = await openFrom();
    expect([origin, await text(Promise.resolve(bytes))]).to.deep.equal(['cache', derivativeName(SMALL)]);
    expect(maker.encodes).to.equal(1);
  });

  it('tells one that another client has had made at the same time', async () => {
    const origins = (await Promise.all([openFrom(), openFrom(), openFrom()])).map(({ origin }) => origin);

    expect(origins.sort()).to.deep.equal(['made', 'shared', 'shared']);
  });
});

describe('OpenRendition', () => {
  useCatalog();

  describe('identify', () => {
    it('differs for other renditions, originals and versions of the maker', async () => {
      const other = await images.in(COMMON_SPACE).add(newImage({ sha256: 'b'.repeat(64) }));
      const texts = [
        openRendition.identify(image, SMALL),
        openRendition.identify(image, LARGE),
        openRendition.identify(other, SMALL),
      ];
      maker.version = 'v2';
      texts.push(openRendition.identify(image, SMALL));

      expect(new Set(texts).size).to.equal(4);
    });

    it('is valid in an entity tag', () => {
      expect(openRendition.identify(image, LARGE)).to.match(/^[\x21\x23-\x7e]+$/);
    });
  });

  describe('with many concurrent clients', () => {
    it('does not make it again for a client that missed the cache just before it was stored', async () => {
      const missed = new Gate();
      const goOn = new Gate();
      let opens = 0;
      const slow = intercepted<RenditionCache>(cache, async (method, proceed) => {
        const result = await proceed();
        if (method === 'open') opens += 1;
        if (method === 'open' && opens === 1) {
          missed.open();
          await goOn.opened;
        }
        return result;
      });
      openRendition = openingFrom(slow);
      const late = open();
      await missed.opened;
      await open();
      goOn.open();

      expect(await text(late)).to.equal(derivativeName(SMALL));
      expect(maker.encodes).to.equal(1);
    });

    it('caches a started rendition after all clients disconnect', async () => {
      const end = new Gate();
      maker.whileEncoding = () => end.opened;
      const leaver = new AbortController();
      const asked = open(SMALL, leaver.signal);
      await settled();
      leaver.abort();
      await rejection(asked);
      end.open();
      await settled();

      expect(cache.keys).to.have.length(1);
    });
  });
});

describe('OpenRendition', () => {
  useCatalog();

  describe('with a maker that fails', () => {
    for (const error of [
      new Overloaded('renditions'),
      new InvalidImage('image/jpeg'),
      new StorageUnavailable(),
    ]) {
      it(`rejects all clients with ${error.code} and caches nothing`, async () => {
        maker.whileEncoding = () => Promise.reject(error);
        const errors = await Promise.all([open(), open()].map(rejection));
        maker.whileEncoding = async () => {};

        expect(errors).to.deep.equal([error, error]);
        expect(await text(open())).to.equal(derivativeName(SMALL));
      });
    }
  });

  describe('with a cache that', () => {
    const refusal = new StorageUnavailable();

    it('cannot be read makes the rendition again and logs a warning', async () => {
      const broken = intercepted<RenditionCache>(cache, (method, proceed) => {
        if (method === 'open') throw refusal;
        return proceed();
      });
      openRendition = openingFrom(broken);
      await open();

      expect(await text(open())).to.equal(derivativeName(SMALL));
      expect(maker.encodes).to.equal(2);
      expect(log.warnings.map(({ facts }) => facts.err)).to.include(refusal);
    });

    it('cannot be written returns the rendition and logs a warning', async () => {
      openRendition = openingFrom(failing<RenditionCache>(cache, 'put', refusal));
      const first = await text(open());

      expect(first).to.equal(derivativeName(SMALL));
      expect(log.warnings.map(({ facts }) => facts.err)).to.deep.equal([refusal]);
      expect(cache.keys).to.deep.equal([]);
      await open();
      expect(maker.encodes).to.equal(2);
    });

    it('cannot be read and hangs while writing delays no client, and the rendition is made once until it is written', async () => {
      const end = new Gate();
      const asked: string[] = [];
      const hanging = intercepted<RenditionCache>(cache, async (method, proceed) => {
        asked.push(method);
        if (method === 'open') throw refusal;
        await end.opened;
        return await proceed();
      });
      openRendition = openingFrom(hanging);

      expect(await text(open())).to.equal(derivativeName(SMALL));
      expect(asked).to.deep.equal(['open', 'put']);
      expect(await text(open())).to.equal(derivativeName(SMALL));
      expect(maker.encodes).to.equal(1);
      end.open();
      await settled();
      expect(cache.keys).to.have.length(1);
    });
  });
});

describe('OpenRendition of an image that is beyond the limits by now', () => {
  useCatalog();

  it('returns what is in the cache, and makes nothing else', async () => {
    await open();
    maker.make = () => Promise.reject(new ImageBeyondLimits('image/jpeg', 'has too many pixels'));

    expect(await text(open())).to.equal(derivativeName(SMALL));
    expect(await rejection(open(LARGE))).to.be.instanceOf(ImageBeyondLimits);
  });
});

describe('OpenRendition of an image that is deleted at the same time', () => {
  useCatalog();

  it('leaves no rendition', async () => {
    maker.whileEncoding = async () => {
      await images.in(COMMON_SPACE).removeById(image.id);
      await cache.removeAllOf(image.uuid);
    };
    await open();

    expect(cache.keys).to.deep.equal([]);
  });

  it('returns it although it cannot be removed', async () => {
    const refusal = new StorageUnavailable();
    openRendition = openingFrom(failing<RenditionCache>(cache, 'removeAllOf', refusal));
    maker.whileEncoding = async () => void (await images.in(COMMON_SPACE).removeById(image.id));

    expect(await text(open())).to.equal(derivativeName(SMALL));
    expect(log.warnings.map(({ facts }) => facts.err)).to.deep.equal([refusal]);
  });
});

describe('OpenRendition of a rendition that is too large for memory', () => {
  useCatalog();

  const LARGE_BYTES = patternedBytes(300_000);

  beforeEach(() => {
    maker.bytesOf = () => LARGE_BYTES;
  });

  async function expectAll(opened: Promise<OpenedBlob>): Promise<void> {
    const blob = await opened;
    expect(blob.size).to.equal(LARGE_BYTES.length);
    expect(Buffer.compare(await collect(blob.read()), LARGE_BYTES)).to.equal(0);
  }

  async function nothingIsHeld(): Promise<void> {
    await settled();
    expect(temporaryFiles.held).to.equal(0);
  }

  it('reads it from the local cache once it is cached', async () => {
    const opened = await Promise.all([open(), open()]);
    await nothingIsHeld();

    for (const blob of opened) await expectAll(Promise.resolve(blob));
    expect(cache.keys).to.have.length(1);
  });

  for (const [what, change] of [
    ['is not local', (renditions) => Object.assign(Object.create(renditions), { isLocal: false })],
    ['cannot be written', (renditions) => failing(renditions, 'put', new StorageUnavailable())],
    ['cannot be read', (renditions) => failing(renditions, 'open', new StorageUnavailable())],
    [
      'loses it at once',
      (renditions) =>
        intercepted(renditions, async (method, proceed) => (method === 'open' ? undefined : await proceed())),
    ],
  ] as ReadonlyArray<readonly [string, (renditions: RenditionCache) => RenditionCache]>) {
    it(`reads it from a temporary file if the cache ${what}, for all that wait`, async () => {
      openRendition = openingFrom(change(cache));
      const opened = await Promise.all([open(), open(), open()]);
      await settled();
      expect([temporaryFiles.held, maker.encodes]).to.deep.equal([1, 1]);

      await opened[0].close();
      for (const blob of opened.slice(1)) await expectAll(Promise.resolve(blob));
      await nothingIsHeld();
    });
  }

  it('reads it from the cache if no temporary file can be written', async () => {
    temporaryFiles.write = () => Promise.reject(new StorageUnavailable());

    await expectAll(open());
    expect(maker.encodes).to.equal(1);
  });

  it('leaves nothing in the cache of an image that was deleted while no temporary file could be written', async () => {
    temporaryFiles.write = () => Promise.reject(new StorageUnavailable());
    maker.whileEncoding = async () => void (await images.in(COMMON_SPACE).removeById(image.id));

    await open().catch(() => undefined);
    expect(cache.keys).to.deep.equal([]);
  });

  it('holds no temporary file if the work fails after it was written', async () => {
    const make = maker.make.bind(maker);
    maker.make = async (...work) => {
      await make(...work);
      throw new StorageUnavailable();
    };

    expect(await rejection(open())).to.be.instanceOf(StorageUnavailable);
    await nothingIsHeld();
  });

  it('is StorageUnavailable if neither takes it, for all that wait', async () => {
    temporaryFiles.write = () => Promise.reject(new StorageUnavailable());
    openRendition = openingFrom(failing<RenditionCache>(cache, 'put', new StorageUnavailable()));

    for (const error of await Promise.all([open(), open()].map(rejection))) {
      expect(error).to.be.instanceOf(StorageUnavailable);
    }
    expect(maker.encodes).to.equal(1);
  });
});
