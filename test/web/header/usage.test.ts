import type { Usage } from '@image-catalog/client';
import { expect } from 'chai';
import { german } from '../../../web/src/app/german/german.ts';
import { trashText } from '../../../web/src/header/trash-text.ts';
import { measuresOf } from '../../../web/src/header/usage-measures.ts';
import { type ShownUsage, useUsage } from '../../../web/src/header/use-usage.ts';
import { setTexts } from '../../../web/src/languages/texts.ts';
import { GalleryParts } from '../doubles/gallery-parts.ts';
import { RenderedHook } from '../doubles/rendered-hook.ts';

const GB = 1_000_000_000;

function usageOf(
  images: number,
  bytes: number,
  limits: Partial<Usage['limits']> = {},
  trashed = { images: 0, bytes: 0 },
): Usage {
  return { images, bytes, trashed, limits: { images: null, bytes: null, ...limits } };
}

describe('the usage of a space in words', () => {
  afterEach(() => setTexts({}));

  it('has no share without limits', () => {
    expect(measuresOf(usageOf(1234, 5.6 * GB))).to.deep.equal([
      { kind: 'images', text: '1,234 pictures', share: undefined, state: 'fine' },
      { kind: 'bytes', text: '5.6 GB', share: undefined, state: 'fine' },
    ]);
  });

  it('has a share of each limit', () => {
    expect(measuresOf(usageOf(1234, 5 * GB, { images: 2468, bytes: 10 * GB }))).to.deep.equal([
      { kind: 'images', text: '1,234 of 2,468 pictures', share: 0.5, state: 'fine' },
      { kind: 'bytes', text: '5.0 GB of 10.0 GB', share: 0.5, state: 'fine' },
    ]);
  });

  for (const [images, limit, share, state] of [
    [89, 100, 0.89, 'fine'],
    [90, 100, 0.9, 'almostFull'],
    [100, 100, 1, 'full'],
    [120, 100, 1, 'full'],
    [0, 0, 1, 'full'],
  ] as const) {
    it(`is ${state} with ${images} of ${limit}`, () => {
      expect(measuresOf(usageOf(images, 1, { images: limit }))[0]).to.include({ share, state });
    });
  }

  it('counts the trash, as the limits do', () => {
    const usage = usageOf(80, 8 * GB, { images: 100, bytes: 10 * GB }, { images: 10, bytes: GB });

    expect(measuresOf(usage).map(({ text }) => text)).to.deep.equal([
      '90 of 100 pictures',
      '9.0 GB of 10.0 GB',
    ]);
    expect(trashText(usage)).to.equal('Including 10 pictures in the trash: 1.0 GB');
    expect(trashText(usageOf(80, 8 * GB))).to.equal(undefined);
  });

  it('is in German', () => {
    setTexts(german);
    const usage = usageOf(1, 5 * GB, { images: 3 });
    expect(measuresOf(usage).map(({ text }) => text)).to.deep.equal(['1 von 3 Bildern', '5,0\u00a0GB']);
  });
});

describe('the usage in the menu of the account', () => {
  const USAGE = usageOf(1, 2);
  let hook: RenderedHook<ShownUsage>;
  let requests: number;
  let openings: number;
  let usage: () => Promise<Usage>;

  beforeEach(async () => {
    requests = 0;
    openings = 0;
    usage = async () => USAGE;
    const catalog = {
      usage: () => {
        requests += 1;
        return usage();
      },
    };
    hook = await RenderedHook.render(() => useUsage(openings), new GalleryParts({ catalog }).wrap);
  });

  afterEach(() => hook.unmount());

  async function open(): Promise<void> {
    openings += 1;
    await hook.again();
  }

  it('is asked for each time that the menu is opened, and not before', async () => {
    expect(requests).to.equal(0);

    await open();
    expect(hook.value).to.equal(USAGE);
    await hook.again();
    expect(requests).to.equal(1);
    await open();
    expect(requests).to.equal(2);
  });

  it('stays until it is known anew', async () => {
    await open();
    usage = () => new Promise(() => undefined);
    await open();

    expect(hook.value).to.equal(USAGE);
  });

  it('is not shown if the service does not say it', async () => {
    await open();
    usage = async () => {
      throw new Error('planted');
    };
    await open();

    expect(hook.value).to.equal('unknown');
  });

  it('of an opening that is over does not count', async () => {
    let fail: (error: Error) => void = () => undefined;
    usage = () =>
      new Promise((_, reject) => {
        fail = reject;
      });
    await open();
    usage = async () => USAGE;
    await open();
    await hook.do(() => fail(new Error('planted')));

    expect(hook.value).to.equal(USAGE);
  });
});
