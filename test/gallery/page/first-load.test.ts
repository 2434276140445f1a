import { expect } from 'chai';
import type { BrowserContextOptions, Locator, Request, Route } from 'playwright-core';
import { eventually } from '../../support/time/eventually.ts';
import { makePictures } from '../support/gallery-pictures.ts';
import { begin, describeVisits, gallery, open, servers } from '../support/visits.ts';

const PICTURES = 61;
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describeVisits('the first records', { pictures: () => makePictures(PICTURES) }, () => {
  for (const [count, device, options] of [
    [60, 'a phone', PHONE],
    [PICTURES, 'a desktop', {}],
  ] as const) {
    it(`are ${count} of ${PICTURES} on ${device}, and compressed`, async () => {
      await open(options);
      const records = gallery.page.waitForResponse(
        (response) =>
          new URL(response.url()).pathname === '/api/images' && response.request().method() === 'GET',
      );

      await gallery.signIn();

      const response = await records;
      expect(await response.json()).to.have.length(count);
      expect((await response.allHeaders())['content-encoding']).to.equal('br');
    });
  }
});

const SCRIPT = /\/assets\/gallery-[^/]*\.js$/;
const STYLES = /\/assets\/gallery-[^/]*\.css$/;
const PICTURES_SCRIPT = /\/assets\/pictures-[^/]*\.js$/;
const PICTURES_STYLES = /\/assets\/pictures-[^/]*\.css$/;
/** What the person needs next. */
const NEXT = /\/assets\/(oidc-sign-in|open-gallery|pictures|react|rolldown-runtime)-[^/]*\.js$/;
const LATE_MS = 8000;

const FAULTS: Readonly<Record<string, (route: Route) => unknown>> = {
  'does not exist': (route) => route.fulfill({ status: 404, body: 'Not Found' }),
  'is refused': (route) => route.abort(),
  'never comes': () => undefined,
};

describeVisits('the page on a bad line', { pictures: () => makePictures(3) }, () => {
  let isLineBad: boolean;

  for (const [fault, respond] of Object.entries(FAULTS)) {
    it(`has a header, a skeleton and later a way out if the script ${fault}`, async () => {
      await visit({}, [[SCRIPT, respond]]);

      await expectPainted();
      expect(await gallery.title.isVisible()).to.equal(true);
      await gallery.page.locator('.grid-skeleton-cell').first().waitFor();
      expect(await late().evaluate(VISIBLE_BEFORE_AND_AFTER, LATE_MS)).to.deep.equal([false, true]);
      await late().waitFor();
      expect(await late().locator('[lang=de]').innerText()).to.include('Neu laden');

      isLineBad = false;
      await gallery.page.getByRole('link', { name: 'Reload' }).click();
      await gallery.signInButton.waitFor();
    });
  }

  it('asks for what is needed next when the script is there', async () => {
    const asked = new Set<string>();
    await visit({}, [[SCRIPT, FAULTS['never comes']]], (request) => {
      const name = NEXT.exec(request.url())?.[1];
      if (name !== undefined) asked.add(name);
    });
    await expectPainted();
    expect([...asked]).to.deep.equal([]);

    isLineBad = false;
    await gallery.page.reload();

    const names = await eventually(
      () => [...asked].sort(),
      ({ length }) => length >= 5,
    );
    expect(names).to.deep.equal(['oidc-sign-in', 'open-gallery', 'pictures', 'react', 'rolldown-runtime']);
  });

  it('is shown without styles if the style sheet never comes', async () => {
    await visit({}, [[STYLES, FAULTS['never comes']]]);

    await gallery.signInButton.waitFor();
    await expectPainted();
  });

  for (const fault of ['is refused', 'never comes']) {
    it(`says that it takes long if there is no script and the style sheet ${fault}`, async () => {
      await visit({}, [
        [STYLES, FAULTS[fault]],
        [SCRIPT, FAULTS['never comes']],
      ]);

      await expectPainted();
      expect(await late().isVisible()).to.equal(true);
    });
  }

  for (const [what, file] of [
    ['scripts', PICTURES_SCRIPT],
    ['styles', PICTURES_STYLES],
  ] as const) {
    it(`offers another try to a person whose pictures have no ${what}, and draws them then`, async () => {
      await visit({}, [[file, FAULTS['is refused']]]);
      await gallery.signInButton.click();
      await gallery.personButton.click();
      const retry = gallery.button('Try again');
      await retry.waitFor();

      isLineBad = false;
      await retry.click();

      await gallery.picture(2).waitFor();
      const cell = await gallery.picture(0).evaluate((element) => getComputedStyle(element).position);
      expect(cell).to.equal('absolute');
    });
  }

  for (const [device, options] of Object.entries({ phone: PHONE, desktop: {} })) {
    it(`has everything in its place before the script is there, on a ${device}`, async () => {
      await visit(options, [[SCRIPT, FAULTS['never comes']]]);
      await gallery.page.route(/\/api\/images\?/, () => undefined);
      const [name, cell] = [gallery.page.locator('header svg'), gallery.page.locator('.grid-skeleton-cell')];
      await expectPainted();
      const first = await boxesOf(gallery.page.locator('header'), name, cell.first(), cell.nth(7));

      isLineBad = false;
      await gallery.page.reload();
      await gallery.signInButton.waitFor();
      await expectPainted();
      expect(await boxesOf(gallery.page.locator('header'), name)).to.deep.equal(first.slice(0, 2));

      await gallery.signIn();
      await cell.first().waitFor();
      await expectPainted();
      const last = await boxesOf(gallery.page.locator('header'), name.first(), cell.first(), cell.nth(7));
      expect(last).to.deep.equal(first);
      gallery.watch.expectCalm('the first load');
    });
  }

  readInPart();

  /** Opens the gallery with faults from its first request on. */
  async function visit(
    options: BrowserContextOptions,
    faults: readonly (readonly [RegExp, ((route: Route) => unknown) | undefined])[],
    onRequest: (request: Request) => void = () => undefined,
  ): Promise<void> {
    isLineBad = true;
    await open(options, 'icons/icon.svg');
    // A picture names no icon: the browser may ask for the usual one before it leaves.
    gallery.watch.expectFault(/status of 404 .*\/favicon\.ico\)$/);
    gallery.page.on('request', onRequest);
    for (const [file, respond] of faults) {
      await gallery.page.route(file, (route) => (isLineBad ? respond?.(route) : route.continue()));
    }
    await gallery.page.goto(servers.url, { waitUntil: 'commit' });
  }
});

function readInPart(): void {
  it('has each place where it stays, also when the page has been read in part', async () => {
    await begin();
    await gallery.page.route(SCRIPT, () => undefined);
    await gallery.page.goto(servers.url, { waitUntil: 'commit' });
    await expectPainted();
    const seventh = gallery.page.locator('.grid-skeleton-cell').nth(6);
    const whole = await boxesOf(seventh);

    await gallery.page.evaluate(REMOVE_CELLS_BEHIND_SEVENTH);

    expect(await boxesOf(seventh)).to.deep.equal(whole);
  });
}

function late(): Locator {
  return gallery.page.locator('.first-late');
}

const REMOVE_CELLS_BEHIND_SEVENTH = `for (const cell of document.querySelectorAll('.grid-skeleton-cell:nth-child(n + 8)')) cell.remove()`;

/** Each way to a server and back, and the bytes at 400 kbit/s. */
const TRIP_MS = 400;
const BYTES_PER_MS = 50;
const SIGN_IN_MS = 4000;
const FIRST_PICTURE_MS = 5000;
/** Has its response when another person changes something. */
const WAITS = /\/changes\?/;

/** From the redirect of the provider: each waits for the one before it. */
const CHAIN: readonly RegExp[] = [
  /\/\?code=/,
  /\/config\.json$/,
  /\/openid-configuration$/,
  /\/oauth\/token$/,
  /\/api\/images\?/,
  /\/api\/images\/links$/,
  /\/d\/\d+\//,
];

describeVisits('the first load at 400 kbit/s and 400 ms', { pictures: () => makePictures(PICTURES) }, () => {
  let requests: Request[];

  beforeEach(async () => {
    await open(PHONE, 'icons/icon.svg');
    requests = [];
    gallery.page.on('request', (request) => {
      if (!WAITS.test(request.url())) requests.push(request);
    });
    await gallery.page.goto(servers.url);
  });

  it('offers to sign in within 4 s: after two trips, with all that the page has asked for', async () => {
    await gallery.signInButton.waitFor();

    const paths = requests.map((request) => new URL(request.url()).pathname);
    expect(paths.filter((path) => /\/assets\/gallery-/.test(path))).to.have.length(2);
    expect(paths.filter((path) => path.startsWith('/api/'))).to.deep.equal([]);
    const needed = requests.filter((request) => !NEXT.test(request.url()));
    expect(2 * TRIP_MS + (await transferMs(needed))).to.be.at.most(SIGN_IN_MS);
  });

  it('has the first picture within 5 s after the redirect of the provider: seven trips, in their order', async () => {
    await gallery.signInButton.waitFor();
    await gallery.page.waitForLoadState('networkidle');

    await gallery.signIn();
    await gallery.picture(0).locator('img[data-loaded]').waitFor();

    const later = requests.slice(requests.findIndex((request) => CHAIN[0]?.test(request.url())));
    const firsts = CHAIN.map((step) => later.findIndex((request) => step.test(request.url())));
    expect(firsts).to.deep.equal(firsts.toSorted((a, b) => a - b));
    const begun = later.slice(0, firsts.at(-1));
    const chain = begun.filter((request) => CHAIN.slice(0, -1).some((step) => step.test(request.url())));
    expect(chain.map((request) => request.method())).to.deep.equal([
      'GET',
      'GET',
      'GET',
      'POST',
      'GET',
      'POST',
    ]);
    const pictures = later.filter((request) => request.resourceType() === 'image').slice(0, 6);
    // With all else that the page asks for before.
    const transferred = await transferMs([...new Set([...begun, ...pictures])]);
    expect(CHAIN.length * TRIP_MS + transferred).to.be.at.most(FIRST_PICTURE_MS);
  });

  it('asks for what the pictures need before its script is there, if there is a session', async () => {
    await gallery.signIn();
    await gallery.page.route(SCRIPT, () => undefined);
    requests = [];

    await gallery.page.reload({ waitUntil: 'commit' });

    const names = await eventually(
      () => requests.flatMap((request) => NEXT.exec(request.url())?.[1] ?? []).sort(),
      ({ length }) => length >= 4,
    );
    expect(names).to.deep.equal(['open-gallery', 'pictures', 'react', 'rolldown-runtime']);
  });
});

async function transferMs(requests: readonly Request[]): Promise<number> {
  const sizes = await Promise.all(
    requests.map(async (request) => {
      // The browser runs a script before it reports that all its bytes are there.
      await (await request.response())?.finished();
      return request.sizes();
    }),
  );
  const bytes = sizes.reduce(
    (sum, { responseBodySize, responseHeadersSize }) => sum + responseBodySize + responseHeadersSize,
    0,
  );
  return bytes / BYTES_PER_MS;
}

/** A page whose style sheet is awaited is there, and not painted. */
async function expectPainted(): Promise<void> {
  const paints = await eventually(
    () => gallery.page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint').length`),
    (count) => count > 0,
  );
  expect(paints, 'paints').to.equal(1);
}

/** Whether an element is visible just before this time of its animation, which begins anew, and just after it. Then it stands still. */
const VISIBLE_BEFORE_AND_AFTER = (element: HTMLElement | SVGElement, ms: number): readonly boolean[] => {
  element.style.animation = 'none';
  element.getAnimations();
  element.style.animation = '';
  const animations = element.getAnimations();
  return [ms - 1, ms + 1].map((time) => {
    for (const animation of animations) {
      animation.pause();
      animation.currentTime = time;
    }
    return element.checkVisibility({ visibilityProperty: true });
  });
};

async function boxesOf(...locators: readonly Locator[]): Promise<readonly unknown[]> {
  return await Promise.all(locators.map((locator) => locator.boundingBox()));
}
