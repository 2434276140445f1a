import type { LinkRendition, SignedLinks } from '@image-catalog/client';
import { expect } from 'chai';
import { LinkCache } from '../../../web/src/catalog/link-cache.ts';
import { LinkMissing } from '../../../web/src/catalog/link-missing.ts';
import { rejection } from '../../support/fixtures/rejection.ts';
import { FakeImagePages } from '../doubles/fake-image-pages.ts';

const HOUR = 3_600_000;

const pages = new FakeImagePages([{ period: '2026-11-20', count: 2000 }]);
/** On the clock of the device. */
let now: number;
/** The clock of the device is ahead of that of the service. */
let aheadMs: number;
let requests: { ids: readonly number[]; renditions: readonly LinkRendition[] }[];
let waiting: (() => void)[];
let failure: Error | undefined;
let links: LinkCache;

function useLinks(): void {
  beforeEach(() => {
    now = Date.UTC(2026, 10, 20);
    aheadMs = 0;
    requests = [];
    waiting = [];
    failure = undefined;
    links = new LinkCache({ links: sign }, { now: () => now, schedule: (send) => waiting.push(send) });
  });
}

async function sign(
  ids: readonly number[],
  { renditions = [] }: { readonly renditions?: readonly LinkRendition[] } = {},
): Promise<SignedLinks> {
  requests.push({ ids, renditions });
  if (failure !== undefined) throw failure;
  const images: Record<string, readonly string[]> = {};
  for (const id of ids) {
    if (id !== 13) images[id] = renditions.map(({ width }) => `https://c.test/d/${id}/${width}/${now}`);
  }
  return { expiresAt: new Date(now - aheadMs + HOUR).toISOString(), images, missing: [13] };
}

function send(): void {
  for (const run of waiting.splice(0)) run();
}

describe('the links of the gallery', () => {
  useLinks();

  it('ask for all pictures of a frame at once, in three widths', async () => {
    const sets = [0, 1, 2].map((position) => links.srcset(pages.recordAt(position)));
    send();

    const [first] = await Promise.all(sets);

    expect(requests.map(({ ids }) => ids)).to.deep.equal([[2000, 1999, 1998]]);
    expect(requests[0]?.renditions).to.deep.equal(
      [320, 640, 1080].map((width) => ({ width, format: 'webp' })),
    );
    expect(first).to.equal(
      [320, 640, 1080].map((width) => `https://c.test/d/2000/${width}/${now} ${width}w`).join(', '),
    );
  });

  it('have no width above that of the picture', async () => {
    const srcset = links.srcset({ ...pages.recordAt(0), width: 500 });
    send();

    expect(await srcset).to.match(/ 320w, .* 500w$/);
  });

  it('ask at most for 500 pictures at once', () => {
    for (let position = 0; position < 1100; position += 1) void links.srcset(pages.recordAt(position));
    send();

    expect(requests.map(({ ids }) => ids.length)).to.deep.equal([500, 500, 100]);
  });

  it('give the viewer other renditions', async () => {
    const url = links.url(7, { width: 1920, format: 'webp' });
    const original = links.url(8, {});
    send();

    expect(await url).to.equal(`https://c.test/d/7/1920/${now}`);
    expect(await original).to.equal(`https://c.test/d/8/undefined/${now}`);
    expect(requests).to.have.lengthOf(2);
  });

  it('reject for a picture that is gone, and only for that one', async () => {
    const gone = links.url(13, {});
    const there = links.url(14, {});
    send();

    expect(await rejection(gone)).to.be.instanceOf(LinkMissing);
    expect(await there).to.include('/14/');
  });

  it('reject with the error of the service, and try again when asked again', async () => {
    failure = new Error('no service');
    const first = links.url(7, {});
    send();
    expect(await rejection(first)).to.equal(failure);

    failure = undefined;
    const second = links.url(7, {});
    send();
    expect(await second).to.include('/7/');
  });

  it('tell the grid when its links are there', async () => {
    const told = new Promise((resolve) => links.version.subscribe(() => resolve(undefined)));
    links.prepare([pages.recordAt(0), pages.recordAt(1)]);
    links.prepare([pages.recordAt(1)]);
    send();
    await told;

    expect(requests.map(({ ids }) => ids)).to.deep.equal([[2000, 1999]]);
    expect(links.knownSources(pages.recordAt(1))?.sharp).to.be.a('string');
  });
});

describe('the links of the gallery that are kept', () => {
  useLinks();

  it('ask once for a picture that is asked for twice, and not again while the link is good', async () => {
    const both = [links.srcset(pages.recordAt(0)), links.srcset(pages.recordAt(0))];
    send();
    await Promise.all(both);
    now += HOUR - 6 * 60_000;

    expect(links.knownSources(pages.recordAt(0))?.sharp).to.be.a('string');
    await links.srcset(pages.recordAt(0));

    expect(requests).to.have.lengthOf(1);
  });

  for (const hours of [2, -2]) {
    it(`are good for as long on a device whose clock is ${hours} hours ahead`, async () => {
      aheadMs = hours * HOUR;
      const first = links.srcset(pages.recordAt(0));
      send();
      await first;

      expect(links.knownSources(pages.recordAt(0))?.sharp).to.be.a('string');
      now += HOUR - 5 * 60_000;
      expect(links.knownSources(pages.recordAt(0))).to.equal(undefined);
    });
  }

  it('ask again shortly before a link is over', async () => {
    const first = links.srcset(pages.recordAt(0));
    send();
    await first;
    now += HOUR - 5 * 60_000;

    expect(links.knownSources(pages.recordAt(0))).to.equal(undefined);
    const second = links.srcset(pages.recordAt(0));
    send();
    expect(await second).to.not.equal(await first);
  });

  it('ask again for a link that did not work', async () => {
    const first = links.srcset(pages.recordAt(0));
    send();
    await first;

    links.forget(2000);

    expect(links.knownSources(pages.recordAt(0))).to.equal(undefined);
  });

  it('are forgotten beyond some thousands', async () => {
    for (let id = 1; id <= 8000; id += 1) void links.url(id, {}).catch(() => undefined);
    send();
    await links.url(8000, {});
    const before = requests.length;

    void links.url(1, {});
    send();

    expect(requests.length).to.equal(before + 1);
  });
});
