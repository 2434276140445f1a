import { expect } from 'chai';
import { MadeFiles } from '../../src/application/files/made-files.ts';
import { OpenImageFile } from '../../src/application/files/open-image-file.ts';
import { OpenRendition } from '../../src/application/files/open-rendition.ts';
import { RecentUploads } from '../../src/application/files/recent-uploads.ts';
import { PrerenderUploads } from '../../src/application/upload/prerender-uploads.ts';
import { InvalidImage, Overloaded } from '../../src/domain/errors.ts';
import type { Image } from '../../src/domain/image/image.ts';
import { derivativeName, type Rendition } from '../../src/domain/image/rendition.ts';
import type { HeldPixels } from '../../src/domain/ports/pictures/held-pixels.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { FakeRenditionMaker } from '../support/doubles/fake-rendition-maker.ts';
import { InMemoryTemporaryFiles } from '../support/doubles/in-memory-temporary-files.ts';
import { failing } from '../support/doubles/intercepted.ts';
import { collect, jpegBytes } from '../support/fixtures/bytes.ts';
import { Gate, settled } from '../support/time/gate.ts';

const BYTES = jpegBytes();
const SMALL: Rendition = { width: 320, fit: 'inside', format: 'webp', quality: 75 };
const LARGE: Rendition = { ...SMALL, width: 640 };

let { images, blobs, renditions: cache, log, addImage } = new CatalogDoubles();
let maker: FakeRenditionMaker;
let recent: RecentUploads;
let openRendition: OpenRendition;
/** Opened by a test to end all pauses. */
let pause: Gate;
let pauses: number;

beforeEach(() => {
  ({ images, blobs, renditions: cache, log, addImage } = new CatalogDoubles());
  maker = new FakeRenditionMaker();
  recent = new RecentUploads(3);
  pause = new Gate();
  pauses = 0;
  openRendition = openingFrom(maker);
});

function openingFrom(made: FakeRenditionMaker, renditions = cache): OpenRendition {
  const files = new MadeFiles({ images, cache: renditions, temporaryFiles: new InMemoryTemporaryFiles() });
  return new OpenRendition(files, recent, new OpenImageFile(images, blobs), made, log);
}

function prerendering(renditions = [SMALL], maxOtherWork = 1, opener = openRendition): PrerenderUploads {
  return new PrerenderUploads(opener, recent, { renditions, maxOtherWork }, async (stopped) => {
    pauses += 1;
    await Promise.race([
      pause.opened,
      new Promise((resolve) => stopped.addEventListener('abort', resolve, { once: true })),
    ]);
  });
}

/** The queue, and an upload beside which it begins nothing until it ends. */
function besideAnUpload(): { readonly all: PrerenderUploads; readonly end: () => Promise<void> } {
  const all = prerendering();
  const uploading = all.holdBack();
  const end = async (): Promise<void> => {
    uploading[Symbol.dispose]();
    pause.open();
    await worked();
  };
  return { all, end };
}

async function uploaded(differences = {}): Promise<Image> {
  return await addImage(BYTES, differences);
}

class Pixels implements HeldPixels {
  isReleased = false;
  read(): undefined {
    return undefined;
  }
  release(): void {
    this.isReleased = true;
  }
}

function keyOf({ uuid }: Image, rendition = SMALL): string {
  return `${uuid}/v1-${derivativeName(rendition)}`;
}

/** As long as nothing waits for input or output. */
async function worked(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await settled();
}

async function view(image: Image, opener = openRendition): Promise<string> {
  const client = { leaving: () => new AbortController().signal, subject: 'alice', log };
  const { bytes } = await opener.execute(image, SMALL, client);
  return new TextDecoder().decode(await collect(bytes.read()));
}

describe('PrerenderUploads', () => {
  it('makes no rendition that its format cannot hold', async () => {
    const image = await uploaded({ width: 10, height: 60_000 });
    prerendering([SMALL]).add({ image });
    await worked();

    expect(maker.encodes).to.equal(0);
  });

  it('makes nothing, and releases the pixels, if there are no default renditions', async () => {
    const pixels = new Pixels();
    prerendering([]).add({ image: await uploaded(), pixels });
    await worked();

    expect([maker.encodes, pixels.isReleased]).to.deep.equal([0, true]);
  });

  it('passes the pixels of the upload to the encoder, and releases them afterwards', async () => {
    const pixels = new Pixels();
    const seen: unknown[] = [];
    const make = maker.make.bind(maker);
    maker.make = (source, ...rest) => {
      seen.push(source.pixels, pixels.isReleased);
      return make(source, ...rest);
    };
    prerendering().add({ image: await uploaded(), pixels });
    await worked();

    expect([...seen, pixels.isReleased]).to.deep.equal([pixels, false, true]);
  });
});

describe('PrerenderUploads beside other work', () => {
  it('begins nothing beside uploads, and begins once they have ended', async () => {
    const { all, end } = besideAnUpload();
    all.add({ image: await uploaded() });
    await worked();
    expect([maker.encodes, pauses]).to.deep.equal([0, 1]);

    await end();
    expect(cache.keys).to.have.length(1);
  });

  it('begins nothing beside renditions for clients', async () => {
    const encode = new Gate();
    maker.whileEncoding = () => encode.opened;
    const viewed = view(await uploaded());
    await worked();
    const all = prerendering();
    all.add({ image: await uploaded() });
    await worked();
    expect(maker.encodes).to.equal(1);

    encode.open();
    await viewed;
    pause.open();
    await worked();
    expect(maker.encodes).to.equal(2);
  });

  it('begins the upload that comes just as it has made the last one', async () => {
    const [all, image, pixels] = [prerendering(), await uploaded(), new Pixels()];
    pixels.release = () => queueMicrotask(() => all.add({ image }));
    all.add({ image: await uploaded(), pixels });
    await worked();

    expect(maker.encodes).to.equal(2);
  });

  it('drops the oldest uploads beyond its bound, with their pixels', async () => {
    const { all, end } = besideAnUpload();
    const pixels = Array.from({ length: 5 }, () => new Pixels());
    for (const held of pixels) all.add({ image: await uploaded(), pixels: held });

    expect(pixels.map(({ isReleased }) => isReleased)).to.deep.equal([true, true, false, false, false]);
    await end();
    expect(cache.keys).to.have.length(3);
  });
});

describe('PrerenderUploads of images in use', () => {
  it('shares its work with a client that requests the rendition meanwhile', async () => {
    const encode = new Gate();
    maker.whileEncoding = () => encode.opened;
    const image = await uploaded();
    prerendering().add({ image });
    await worked();
    const viewed = view(image);
    await worked();
    encode.open();

    expect(await viewed).to.equal(derivativeName(SMALL));
    expect(maker.encodes).to.equal(1);
  });

  it('makes nothing of an image that is deleted before, without a warning', async () => {
    const image = await uploaded();
    await images.in(COMMON_SPACE).removeById(image.id);
    await blobs.remove(image.uuid);
    prerendering().add({ image });
    await worked();

    expect([cache.keys, log.warnings]).to.deep.equal([[], []]);
  });
});

describe('PrerenderUploads that cannot make a rendition', () => {
  it('drops it without a warning if the service is busy', async () => {
    const busy = failing(maker, 'make', new Overloaded('decode_memory'));
    prerendering([SMALL], 1, openingFrom(busy)).add({ image: await uploaded() });
    await worked();

    expect([cache.keys, log.warnings]).to.deep.equal([[], []]);
  });

  it('logs any other error', async () => {
    const image = await uploaded();
    const broken = failing(maker, 'make', new InvalidImage('image/jpeg'));
    prerendering([SMALL], 1, openingFrom(broken)).add({ image });
    await worked();

    expect(log.warnings.map(({ message, facts }) => [message, facts['imageId']])).to.deep.equal([
      ['rendition not made ahead', image.id],
    ]);
  });

  it('lets a client that waits for it make it itself', async () => {
    const encode = new Gate();
    maker.whileEncoding = async () => {
      await encode.opened;
      if (maker.encodes === 1) throw new Overloaded('decode_memory');
    };
    const image = await uploaded();
    prerendering().add({ image });
    await worked();
    const viewed = view(image);
    await worked();
    encode.open();

    expect(await viewed).to.equal(derivativeName(SMALL));
    expect(maker.encodes).to.equal(2);
  });
});

describe('PrerenderUploads that is stopped', () => {
  it('drops what has not begun, and releases its pixels', async () => {
    const [{ all, end }, pixels] = [besideAnUpload(), new Pixels()];
    all.add({ image: await uploaded(), pixels });

    await all.stop();
    await end();
    expect([maker.encodes, pixels.isReleased]).to.deep.equal([0, true]);
  });

  it('waits for the rendition that has begun, and begins no other', async () => {
    const [encode, all] = [new Gate(), prerendering([SMALL, LARGE])];
    maker.whileEncoding = () => encode.opened;
    const image = await uploaded();
    all.add({ image });
    await worked();
    let isStopped = false;
    const stopped = all.stop().then(() => {
      isStopped = true;
    });
    await worked();
    expect(isStopped).to.equal(false);

    encode.open();
    await stopped;
    expect(cache.keys).to.deep.equal([keyOf(image)]);
  });

  it('takes no further upload', async () => {
    const [all, pixels] = [prerendering(), new Pixels()];
    await all.stop();
    all.add({ image: await uploaded(), pixels });
    await worked();

    expect([maker.encodes, pixels.isReleased]).to.deep.equal([0, true]);
  });
});
