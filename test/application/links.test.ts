import { expect } from 'chai';
import type { FileParameters } from '../../src/application/links/make-links.ts';
import { RotateLinkKey } from '../../src/application/maintenance/rotate-link-key.ts';
import { ImageNotFound, LinkExpired, LinkInvalid } from '../../src/domain/errors.ts';
import type { CatalogImage } from '../../src/domain/image/image.ts';
import { LONGEST_LINK_MS, MAX_LINK_SECONDS } from '../../src/domain/link/link-expiry.ts';
import { type LinkSegments, type SignedLink } from '../../src/domain/link/signed-link.ts';
import { COMMON_SPACE } from '../../src/domain/space/space.ts';
import { CatalogDoubles } from '../support/doubles/catalog-doubles.ts';
import { InMemoryImageRepository } from '../support/doubles/in-memory-image-repository.ts';
import { InMemoryLinkKeys } from '../support/doubles/in-memory-link-keys.ts';
import { intercepted, recorded } from '../support/doubles/intercepted.ts';
import { type LinkProcess, linkProcess, SIGNER } from '../support/doubles/links.ts';
import { newImage } from '../support/fixtures/new-image.ts';
import { rejection } from '../support/fixtures/rejection.ts';
import { Gate, settled } from '../support/time/gate.ts';

const HOUR = 3600;

let { clock, images, linkKeys: keys } = new CatalogDoubles();
let service: LinkProcess;

function useService(): void {
  beforeEach(() => {
    ({ clock, images, linkKeys: keys } = new CatalogDoubles());
    service = linkProcess(images, keys, clock);
  });
}

async function linkTo(
  { id }: CatalogImage,
  file: FileParameters = {},
  { ttlSeconds = HOUR, by = service } = {},
): Promise<SignedLink> {
  const made = await by.makeLinks.execute(COMMON_SPACE, { ids: [id], files: [file], ttlSeconds });
  const link = made.images?.links.get(id)?.[0];
  if (link === undefined) throw new Error('No link was made');
  return link;
}

function segmentsOf({ id, fileName, expiry, mac }: SignedLink): LinkSegments {
  return { id: String(id), fileName, expiry: String(expiry), mac };
}

async function open(link: SignedLink, by = service): Promise<string> {
  const { image, rendition, secondsLeft } = await by.openLink.execute(segmentsOf(link));
  const width = typeof rendition === 'object' ? rendition.width : rendition;
  return `${image.id} ${width ?? 'original'} ${secondsLeft()}`;
}

async function refusalOf(link: SignedLink, by = service): Promise<Error> {
  return await rejection(by.openLink.execute(segmentsOf(link)));
}

async function rotate({ revoke = false } = {}): Promise<number> {
  return await new RotateLinkKey(keys, SIGNER, clock).execute({ revoke });
}

describe('MakeLinks', () => {
  useService();

  it('gives all callers within a window the same links, in every process', async () => {
    const image = await images.in(COMMON_SPACE).add(newImage());
    const other = linkProcess(images, keys, clock);
    // Behind the border between two windows, which noon is.
    clock.advance(1);
    const first = await linkTo(image);

    clock.advance(HOUR * 99);
    expect(await linkTo(image, {}, { by: other })).to.deep.equal(first);

    clock.advance(HOUR * 100);
    expect((await linkTo(image)).expiry).to.equal(first.expiry + HOUR / 10);
  });
});

describe('OpenLink beside a restore', () => {
  useService();

  it('finds no image, and nothing forged, if the image leaves the trash between both reads', async () => {
    const common = images.in(COMMON_SPACE);
    const image = await common.add(newImage());
    const link = await linkTo(image);
    await common.removeById(image.id, undefined, 'trash');
    const restoring = intercepted(images, async (method, proceed) => {
      const found = await proceed();
      if (method === 'findById') await images.trash.in(COMMON_SPACE).restore(image.id);
      return found;
    });

    const refusal = await refusalOf(link, linkProcess(restoring, keys, clock));

    expect(refusal).to.be.instanceOf(ImageNotFound);
  });
});

describe('OpenLink', () => {
  useService();

  it('opens a link to the last millisecond before its expiry', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));

    clock.advance(link.expiry * 1000 - 1 - clock.now().getTime());
    expect(await open(link)).to.equal('1 original 0');

    clock.advance(1);
    expect(await refusalOf(link)).to.be.instanceOf(LinkExpired);
  });

  it('reads the same for a forged link, whether there is an image or not', async () => {
    const { id } = await images.in(COMMON_SPACE).add(newImage());
    const calls: string[] = [];
    const process = linkProcess(recorded(images, calls), keys, clock);
    const forged = { id: String(id), fileName: 'original', expiry: '9999999999', mac: 'A'.repeat(43) };
    await rejection(process.openLink.execute(forged));
    const ofImage = calls.splice(0);

    await rejection(process.openLink.execute({ ...forged, id: String(id + 1) }));

    expect(calls).to.deep.equal(ofImage).and.to.deep.equal(['findById', 'findDeletedUuid']);
  });

  it('refuses a forged link that has expired as forged', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));

    clock.advance(2 * HOUR * 1000);

    expect(await refusalOf({ ...link, expiry: link.expiry - 1 })).to.be.instanceOf(LinkInvalid);
  });

  it('refuses a link to an image that had the id before a restore', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));
    const restored = new InMemoryImageRepository(clock);
    await restored.in(COMMON_SPACE).add(newImage());

    expect(await refusalOf(link, linkProcess(restored, keys, clock))).to.be.instanceOf(LinkInvalid);
  });

  it('refuses every link of a catalog without keys, and makes no key', async () => {
    const image = await images.in(COMMON_SPACE).add(newImage());
    const link = await linkTo(image, {}, { by: linkProcess(images, new InMemoryLinkKeys(), clock) });

    expect(await refusalOf(link)).to.be.instanceOf(LinkInvalid);
    expect(await keys.findAll()).to.deep.equal([]);
  });
});

describe('RotateLinkKey', () => {
  useService();

  let image: CatalogImage;
  let before: SignedLink;

  beforeEach(async () => {
    image = await images.in(COMMON_SPACE).add(newImage());
    before = await linkTo(image, {}, { ttlSeconds: MAX_LINK_SECONDS });
  });

  it('makes all processes sign with the new key within ten seconds', async () => {
    const other = linkProcess(images, keys, clock);
    const link = await linkTo(image, {}, { by: other });

    expect(await rotate()).to.equal(1);
    clock.advance(1000);

    const [ours, theirs] = [await linkTo(image), await linkTo(image, {}, { by: other })];
    expect(ours).to.deep.equal(theirs);
    expect(ours.mac).not.to.equal(link.mac);
  });

  it('keeps links of the former key until the last one is over', async () => {
    await rotate();

    clock.advance(before.expiry * 1000 - clock.now().getTime() - 1);
    expect(await open(before)).to.equal('1 original 0');
  });

  it('forgets a former key when its links are over', async () => {
    await rotate();
    clock.advance(LONGEST_LINK_MS - 1);
    expect(await rotate()).to.equal(2);
    expect(await keys.findAll()).to.have.length(3);

    clock.advance(1);
    expect(await rotate()).to.equal(2);
    expect((await keys.findAll()).map(({ generation }) => generation)).to.deep.equal([4, 3, 2]);
  });

  it('does not accept a former key for longer than its links, even if it is still stored', async () => {
    await rotate();
    const former = (await keys.findAll())[1];
    if (former === undefined) throw new Error('There is no former key');
    clock.advance(LONGEST_LINK_MS);
    const { mac: _, ...link } = await linkTo(image);
    const mac = SIGNER.sign(
      former.secret,
      `image-catalog link 1\n${link.id}\n${image.uuid}\n${link.fileName}\n${link.expiry}`,
    );

    expect(await refusalOf({ ...link, mac })).to.be.instanceOf(LinkInvalid);
  });
});

describe('the keys in memory', () => {
  useService();

  it('are read once a second, however many links are opened', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));
    keys.reads = 0;

    for (let count = 0; count < 100; count += 1) await open(link);
    expect(keys.reads).to.equal(0);

    clock.advance(1000);
    await Promise.all(Array.from({ length: 100 }, () => open(link)));
    expect(keys.reads).to.equal(1);
  });

  it('are read again once for all links that are opened at the same time', async () => {
    const pictures = [
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
      await images.in(COMMON_SPACE).add(newImage()),
    ];
    await linkTo(pictures[0] as CatalogImage);
    await rotate();
    const started = linkProcess(images, keys, clock);
    const made = await Promise.all(pictures.map((image) => linkTo(image, {}, { by: started })));
    keys.reads = 0;

    await Promise.all(made.map((link) => open(link)));

    expect(keys.reads).to.equal(1);
  });

  it('are read again for the first key, even while an earlier read is under way', async () => {
    const image = await images.in(COMMON_SPACE).add(newImage());
    const slow = new Gate();
    let reads = 0;
    const delayed = intercepted(keys, async (method, proceed) => {
      const result = await proceed();
      if (method === 'findAll' && ++reads === 2) await slow.opened;
      return result;
    });
    const own = linkProcess(images, delayed, clock);
    const forged = own.ring.isSigned('forged', 'A'.repeat(43));
    await settled();

    const link = await linkTo(image, {}, { by: own });
    slow.open();

    expect(await forged).to.equal(false);
    expect(await open(link, own)).to.be.a('string');
  });

  it('are read again at most once a second for forged links', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));
    keys.reads = 0;
    const forged = { ...link, mac: 'A'.repeat(43) };

    for (let count = 0; count < 100; count += 1) await refusalOf(forged);
    expect(keys.reads).to.equal(1);

    clock.advance(1000);
    for (let count = 0; count < 100; count += 1) await refusalOf(forged);
    expect(keys.reads).to.equal(3);
  });

  it('are read again if the clock is set back', async () => {
    const link = await linkTo(await images.in(COMMON_SPACE).add(newImage()));
    keys.reads = 0;

    clock.advance(-HOUR);
    await open(link);

    expect(keys.reads).to.equal(1);
  });
});
