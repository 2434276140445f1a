import { expect } from 'chai';
import { eventually } from '../../support/time/eventually.ts';
import { expectAccessible } from '../support/accessibility.ts';
import { GalleryPage } from '../support/gallery-page.ts';
import { GalleryServers } from '../support/gallery-servers.ts';
import { describeInChromium } from '../support/in-chromium.ts';
import { Keyboard } from '../support/keyboard.ts';
import { Mouse } from '../support/mouse.ts';
import { takeScreenshots } from '../support/screenshots.ts';

describeInChromium('signing in', (browser) => {
  let servers: GalleryServers;
  let gallery: GalleryPage;

  before(async () => {
    servers = await GalleryServers.start();
  });

  after(() => servers?.stop());

  beforeEach(async () => {
    gallery = await GalleryPage.open(browser(), servers.url);
  });

  afterEach(() => gallery?.close());

  it('says what to do before it', async () => {
    await gallery.signInButton.waitFor();

    await expectAccessible(gallery.page, 'signed out');
    gallery.watch.expectCalm('signed out');
    await takeScreenshots(gallery.page, 'signed-out');
  });

  it('takes one click at the provider, and one to sign out again', async () => {
    await gallery.signIn();
    gallery.watch.expectCalm('signing in');

    await new Mouse(gallery).signOut();

    await gallery.signInButton.waitFor();
    gallery.watch.expectCalm('signing out');
  });

  it('works by keyboard alone', async () => {
    await new Keyboard(gallery).signIn();

    gallery.watch.expectCalm('signing in');
  });

  it('leads back to the view that was asked for', async () => {
    await gallery.page.goto(`${servers.url}?sort=added`);

    await gallery.signIn();

    const query = await eventually(
      () => new URL(gallery.page.url()).search,
      (search) => search === '?sort=added',
    );
    expect(query).to.equal('?sort=added');
  });

  it('lasts across a reload', async () => {
    await gallery.signIn();

    await gallery.page.reload();

    await gallery.title.waitFor();
    gallery.watch.expectCalm('a reload');
  });
});
