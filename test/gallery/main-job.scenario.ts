import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
import type { CatalogClient, ImageRecord } from '../support/http/catalog-client.ts';
import { expectAccessible } from './accessibility.ts';
import { GalleryPage } from './gallery-page.ts';
import { chelsea, makePictures, type PickedFile, textFile, truncatedPicture } from './gallery-pictures.ts';
import { GalleryServers } from './gallery-servers.ts';
import type { Hands } from './hands.ts';
import { takeScreenshots } from './screenshots.ts';

const GOOD = 97;
/** Longer than the 8 s in which a deletion can be undone. */
const DELETED_WITHIN_MS = 20_000;

interface Chosen {
  readonly all: readonly PickedFile[];
  readonly known: PickedFile;
}

let chosen: Promise<Chosen> | undefined;

/** 100 files: 97 pictures, one that the catalog has already, and two that are no complete picture. */
async function chosenFiles(): Promise<Chosen> {
  const [good, truncated, known] = await Promise.all([makePictures(GOOD), truncatedPicture(), chelsea()]);
  const all = [...good.slice(0, 20), truncated, ...good.slice(20, 60), known, ...good.slice(60), textFile()];
  return { all, known };
}

/** The main job from signing in to signing out. Each step begins where the one before it ended. */
export function describeMainJob(
  browser: () => Browser,
  device: string,
  handsFor: (gallery: GalleryPage) => Hands,
): void {
  describe(`the main job by ${device}`, () => {
    let servers: GalleryServers;
    let catalog: CatalogClient;
    let gallery: GalleryPage;
    let hands: Hands;
    let hasFailed = false;

    before(async () => {
      servers = await GalleryServers.start();
      catalog = await servers.client();
      gallery = await GalleryPage.open(browser(), servers.url);
      hands = handsFor(gallery);
    });

    after(async () => {
      await gallery?.close();
      await servers?.stop();
    });

    beforeEach(function () {
      if (hasFailed) this.skip();
    });

    afterEach(function () {
      hasFailed ||= this.currentTest?.state === 'failed';
    });

    it('signs in to an empty catalog, which says how to fill it', async () => {
      await hands.signIn();

      await gallery.emptyCatalog.waitFor();
      await check('empty');
    });

    it('uploads 100 files of which 2 are broken and 1 is there already', async () => {
      chosen ??= chosenFiles();
      const { all, known } = await chosen;
      await catalog.upload(new Uint8Array(known.buffer), known.name);
      gallery.watch.expectFault(/status of 4(15|22) .*api\/upload/);

      await hands.upload(all);

      await gallery.uploadTotals(/97 uploaded.*1 already here.*2 refused/).waitFor({ timeout: 30_000 });
      expect(new Set((await catalog.list()).map(({ sha256 }) => sha256))).to.have.length(GOOD + 1);
      expect(await gallery.uploadRow('truncated.jpg').textContent()).to.match(/damaged|incomplete|complete/i);
      expect(await gallery.uploadRow('notes.jpg').textContent()).to.match(/JPEG|PNG/);
      await check('uploaded');
    });

    it('shows them by month, newest first', async () => {
      await gallery.closeUploads();

      expect(await gallery.nameOfPicture(0)).to.include('cat-chelsea.png');
      expect(await gallery.nameOfPicture(1)).to.include('cat-001.jpg');
      await gallery.month('November 2025').waitFor();
      await gallery.picturesAreLoaded();
      await check('grid');
    });

    it('finds a picture by a word', async () => {
      await hands.search('cat-017');

      await gallery.expectPictures(1);
      expect(await gallery.nameOfPicture(0)).to.include('cat-017.jpg');
      expect(new URL(gallery.page.url()).searchParams.get('q')).to.equal('cat-017');
      await check('found');
    });

    it('says what to do if nothing is found', async () => {
      await hands.search('dogs');

      await gallery.nothingFound.waitFor();
      await check('nothing-found');
    });

    it('shows all pictures again', async () => {
      await hands.clearSearch();

      await gallery.expectPicturesAtLeast(2);
    });

    it('opens a picture, and steps to the next and back', async () => {
      await hands.openFirst();
      await gallery.viewer.waitFor();
      await gallery.viewerShows('cat-chelsea.png');

      await hands.showNext();
      await gallery.viewerShows('cat-001.jpg');
      await hands.showPrevious();
      await gallery.viewerShows('cat-chelsea.png');

      await check('viewer');
    });

    it('zooms', async () => {
      await hands.zoomInAndOut();

      gallery.watch.expectCalm('zooming');
    });

    it('edits title and description', async () => {
      await hands.openPanel();
      await hands.setTitle('Chelsea looks up');
      await hands.setDescription('A tabby cat.\nShe is curious.');

      const saved = await eventually(
        async () => await metadataOf('cat-chelsea.png'),
        ({ title, description }) => title !== null && description !== null,
      );
      expect(saved).to.include({ title: 'Chelsea looks up', description: 'A tabby cat.\nShe is curious.' });
      await check('panel');
    });

    it('adds tags', async () => {
      await hands.addTag('garden');
      await hands.addTag('Chelsea');

      const saved = await eventually(
        async () => await metadataOf('cat-chelsea.png'),
        ({ tags }) => tags.length === 2,
      );
      expect(saved.tags).to.deep.equal(['Chelsea', 'garden']);
      gallery.watch.expectCalm('adding tags');
    });

    it('goes back to the grid with the focus on the picture', async () => {
      await hands.closeViewer();

      await gallery.viewer.waitFor({ state: 'hidden' });
      expect(await gallery.pictureWithFocus()).to.include('Chelsea');
    });

    it('tags a selection', async () => {
      await hands.selectFirst(4);
      expect(await gallery.selectionBar.textContent()).to.match(/4 selected/);
      await check('selection');

      await hands.tagSelection('sleeping');

      const tagged = await eventually(
        async () => (await catalog.list()).filter(({ tags }) => tags.includes('sleeping')),
        (images) => images.length === 4,
      );
      expect(tagged).to.have.length(4);
    });

    it('finds pictures by a tag', async () => {
      await hands.search('sleeping');

      await gallery.expectPictures(4);
      gallery.watch.expectCalm('searching a tag');
    });

    it('deletes, and takes it back', async () => {
      await hands.selectFirst(2);
      await hands.deleteSelection();
      await gallery.expectPictures(2);
      await check('deleted');

      await hands.undoDeletion();

      await gallery.expectPictures(4);
      expect(await catalog.list()).to.have.length(GOOD + 1);
    });

    it('deletes for good when the time to undo is over', async () => {
      await hands.selectFirst(1);
      await hands.deleteSelection();

      const left = await eventually(
        async () => await catalog.list(),
        (images) => images.length === GOOD,
        DELETED_WITHIN_MS,
      );
      expect(left).to.have.length(GOOD);
      await gallery.expectPictures(3);
      gallery.watch.expectCalm('deleting');
    });

    it('signs out', async () => {
      await hands.signOut();

      await gallery.signInButton.waitFor();
      gallery.watch.expectCalm('signing out');
    });

    async function check(view: string): Promise<void> {
      gallery.watch.expectCalm(view);
      await expectAccessible(gallery.page, view);
      await takeScreenshots(gallery.page, view);
      // Other sizes and colours are no faults of the view.
      gallery.watch.forgetFaults();
    }

    async function metadataOf(name: string): Promise<ImageRecord & { readonly description: string | null }> {
      const image = (await catalog.list()).find(({ originalName }) => originalName === name);
      if (image === undefined) throw new Error(`There is no ${name}`);
      const response = await catalog.read(`api/image/${image.id}/metadata`);
      return { ...image, ...((await response.json()) as { description: string | null }) };
    }
  });
}
