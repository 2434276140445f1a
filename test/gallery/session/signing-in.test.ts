import { expectAccessible } from '../support/accessibility.ts';
import { expectSoon } from '../support/expect-soon.ts';
import { mouse } from '../support/mouse.ts';
import { takeScreenshots } from '../support/screenshots.ts';
import { begin, describeVisits, gallery, load, open } from '../support/visits.ts';

describeVisits('signing in', {}, () => {
  beforeEach(() => open());

  it('says what to do before it', async () => {
    await gallery.signInButton.waitFor();

    await expectAccessible(gallery.page, 'signed out');
    gallery.watch.expectCalm('signed out');
    await takeScreenshots(gallery.page, 'signed-out');
  });

  it('takes one click at the provider, and one to sign out again', async () => {
    await gallery.signIn();
    gallery.watch.expectCalm('signing in');

    await mouse.signOut();

    await gallery.signInButton.waitFor();
    gallery.watch.expectCalm('signing out');
  });

  it('leads back to the view that was asked for', async () => {
    await load('?sort=added');

    await gallery.signIn();

    await expectSoon(() => new URL(gallery.page.url()).search, '?sort=added');
  });

  it('lasts across a reload', async () => {
    await gallery.signIn();

    await gallery.page.reload();

    await gallery.title.waitFor();
    gallery.watch.expectCalm('a reload');
  });
});

/** As with the setting of a browser that blocks all cookies. */
const REFUSE_STORAGE = `
  for (const name of ['sessionStorage', 'localStorage']) {
    Object.defineProperty(window, name, { get: () => { throw new DOMException('', 'SecurityError') } });
  }
`;

describeVisits('a browser that refuses all storage', {}, () => {
  it('is told so, and not to check its connection', async () => {
    await begin();
    await gallery.page.addInitScript(REFUSE_STORAGE);

    await load();

    await gallery.page.getByText(/^The browser refuses to store anything/).waitFor();
  });
});
