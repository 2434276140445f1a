import { expect } from 'chai';
import type { Locator, Route } from 'playwright-core';
import { makePictures } from '../support/gallery-pictures.ts';
import { passTimeUntil } from '../support/pass-time-until.ts';
import { arrive, catalog, describeVisits, gallery, load } from '../support/visits.ts';

interface View {
  /** What is refused. */
  readonly requests: RegExp;
  readonly query?: () => string;
  /** What a person does there. */
  readonly act?: () => Promise<unknown>;
  /** What they wanted. */
  readonly content: () => Locator;
  /** Leads to the pictures, or to the picture. */
  readonly back?: () => Promise<unknown>;
}

const ids: number[] = [];
let isFaulty: boolean;

const VIEWS: Readonly<Record<string, View>> = {
  'the pictures': { requests: /\/api\/images(\/timeline)?\?/, content: () => gallery.picture(0) },
  'a picture that is not in the list': {
    requests: /\/api\/image\/\d+$/,
    query: () => `?q=nothing&image=${ids[0]}`,
    content: () => gallery.viewerPicture('cat-001.jpg'),
    back: () => gallery.button('Back').click(),
  },
  'the details': {
    requests: /\/api\/image\/\d+\/metadata$/,
    query: () => `?image=${ids[0]}`,
    act: async () => {
      await gallery.viewerPicture('cat-001.jpg').waitFor();
      await gallery.showPanel();
    },
    content: () => gallery.titleField,
    back: () => gallery.button('Back').click(),
  },
  'the tags': {
    requests: /\/api\/tags\?/,
    query: () => '?view=tags',
    content: () => gallery.page.getByRole('link', { name: /^tag 0/ }),
    back: () => gallery.button('Back to the pictures').click(),
  },
  'the trash': {
    requests: /\/api\/trash/,
    query: () => '?view=trash',
    content: () => gallery.page.getByRole('heading', { name: 'The trash is empty' }),
    back: () => gallery.button('Back to the pictures').click(),
  },
  'a comparison': {
    requests: /\/api\/image\/\d+$/,
    query: () => `?q=nothing&compare=${ids.join()}`,
    content: () => gallery.page.getByRole('heading', { name: 'cat-001.jpg' }),
    back: () => gallery.button('Back').last().click(),
  },
};

interface Action {
  readonly requests: RegExp;
  /** Opens its dialog. */
  readonly begin: () => Promise<unknown>;
  /** Where a person types. */
  readonly field: () => Locator;
  readonly submit: () => Locator;
}

const ACTIONS: Readonly<Record<string, Action>> = {
  'a page to share': {
    requests: /\/api\/images\/links$/,
    begin: () => choose('Share'),
    field: () => gallery.page.getByRole('textbox', { name: 'Title of the page' }),
    submit: () => gallery.button('Create the link'),
  },
  'an edit of many': {
    requests: /\/api\/images\/metadata$/,
    begin: async () => {
      await choose('Edit title and time');
      await gallery.page.getByRole('checkbox', { name: 'Change the title' }).check();
    },
    field: () => gallery.page.getByRole('textbox', { name: 'Title', exact: true }),
    submit: () => gallery.button('Change 1 picture'),
  },
};

async function choose(action: string): Promise<void> {
  await gallery.selection.waitFor();
  const inBar = gallery.selection.getByRole('button', { name: action, exact: true });
  if (await inBar.isVisible()) {
    await inBar.click();
    return;
  }
  await gallery.selection.getByRole('button', { name: 'More' }).click();
  await gallery.button(action).last().click();
}

const REFUSED = {
  status: 500,
  headers: {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id',
    'X-Request-Id': 'request-17',
  },
  json: { code: 'internal_error', message: 'An error' },
};

type Fault = readonly [fault: (route: Route) => unknown, words: RegExp];

const SILENCE: Fault = [() => undefined, /^This takes unusually long/];

/** As a service that has an error, a network that is gone, and a proxy that says nothing. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'the service has an error': [
    (route) => route.fulfill(REFUSED),
    /^The catalog had an error. Request request-17.$/,
  ],
  'the connection breaks': [(route) => route.abort('connectionreset'), /^The catalog cannot be reached.$/],
  'nothing responds': SILENCE,
};

describeVisits(
  'no view ends in nothing',
  { pictures: () => makePictures(3), env: { TRASH_DAYS: '7' } },
  () => {
    before(async () => {
      for (const { id } of await catalog.list()) {
        ids.push(id);
        await catalog.patch(id, { tags: ['tag 0'] });
      }
    });

    for (const [name, view] of Object.entries(VIEWS)) {
      for (const [what, [fault, words]] of Object.entries(FAULTS)) {
        it(`${name}, when ${what}: words, and another attempt`, async () => {
          await visit(view, fault);

          await passTimeUntil(gallery.page.getByRole('status').getByText(words));
          await tryAgain().last().waitFor();
          isFaulty = false;
          // What passes by itself may be over before the click, which then waits until the page is closed.
          void tryAgain()
            .last()
            .click()
            .catch(() => undefined);

          await passTimeUntil(view.content());
        });
      }
      const { back } = view;
      if (back === undefined) continue;
      it(`${name}, when nothing responds: a way back`, async () => {
        await visit(view, SILENCE[0]);
        await passTimeUntil(gallery.page.getByRole('status').getByText(SILENCE[1]));

        await back();

        await gallery.page.getByRole('status').getByText(SILENCE[1]).waitFor({ state: 'hidden' });
      });
    }

    for (const [name, { requests, begin, field, submit }] of Object.entries(ACTIONS)) {
      it(`${name}: words, and what was typed stays for another attempt`, async () => {
        await visit({ requests }, (route) => route.fulfill(REFUSED));
        await type(begin, field);
        await submit().click();
        await gallery.page
          .getByRole('dialog')
          .getByText(/The catalog had an error. Request request-17/)
          .first()
          .waitFor();
        expect(await field().inputValue()).to.equal('Three cats');
        isFaulty = false;

        await submit().click();

        await field().waitFor({ state: 'hidden' });
      });

      it(`${name}, when nothing responds: words, and a way back`, async () => {
        await visit({ requests }, SILENCE[0]);
        await type(begin, field);
        await submit().click();
        await passTimeUntil(gallery.page.getByRole('status').getByText(SILENCE[1]));

        await gallery.button('Back').click();

        await field().waitFor({ state: 'hidden' });
      });
    }
  },
);

const tryAgain = (): Locator => gallery.page.getByRole('button', { name: /^Try (again|now)$/ });

async function type(begin: () => Promise<unknown>, field: () => Locator): Promise<void> {
  await gallery.select(0);
  await begin();
  await field().fill('Three cats');
}

async function visit(
  { requests, query, act }: Pick<View, 'requests' | 'query' | 'act'>,
  fault: (route: Route) => unknown,
): Promise<void> {
  isFaulty = true;
  await arrive();
  await gallery.page.clock.install();
  await gallery.page.route(requests, async (route) => {
    if (isFaulty) await fault(route);
    else await route.continue();
  });
  await load(query?.());
  await act?.();
}
