import { expect } from 'chai';
import type { Browser, Locator } from 'playwright-core';
import { eventually } from '../support/fixtures/eventually.ts';
import type { CatalogClient, ImageRecord } from '../support/http/catalog-client.ts';
import { expectAccessible } from './accessibility.ts';
import { GalleryPage, hasFocus } from './gallery-page.ts';
import { chelsea, makePictures, type PickedFile, textFile, truncatedPicture } from './gallery-pictures.ts';
import { GalleryServers } from './gallery-servers.ts';
import type { Hands } from './hands.ts';
import { takeFailure, takeScreenshots } from './screenshots.ts';

const GOOD = 97;
/** Longer than the 8 s in which a deletion can be undone. */
const DELETED_WITHIN_MS = 20_000;

const KNOWN = 'cat-chelsea.png';
const TITLE = 'Chelsea looks up';

interface Files {
  readonly all: readonly PickedFile[];
  readonly known: PickedFile;
}

let made: Promise<Files> | undefined;

/** The same for all devices. */
async function files(): Promise<Files> {
  made ??= makeFiles();
  return await made;
}

/** 100 files: 97 pictures, one that the catalog has already, and two that are no complete picture. */
async function makeFiles(): Promise<Files> {
  const [good, truncated, known] = await Promise.all([makePictures(GOOD), truncatedPicture(), chelsea()]);
  const all = [...good.slice(0, 20), truncated, ...good.slice(20, 60), known, ...good.slice(60), textFile()];
  return { all, known };
}

export interface MainJobOptions {
  readonly device: string;
  readonly handsFor: (gallery: GalleryPage) => Hands;
  /**
   * Whether axe examines every view, pictures are taken, and the time to undo a deletion is waited for. Once is enough: none
   * of it depends on the device.
   */
  readonly isThorough: boolean;
}

/** The main job from signing in to signing out. Each step begins where the one before it ended. */
export function describeMainJob(
  browser: () => Browser,
  { device, handsFor, isThorough }: MainJobOptions,
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

    afterEach(async function () {
      if (this.currentTest?.state !== 'failed') return;
      hasFailed = true;
      await takeFailure(gallery.page, this.currentTest.fullTitle());
    });

    it('signs in to an empty catalog, which says how to fill it', async () => {
      await hands.signIn();

      await gallery.emptyCatalog.waitFor();
      await check('empty');
    });

    it('uploads 100 files of which 2 are broken and 1 is there already', async () => {
      const { all, known } = await files();
      await catalog.upload(new Uint8Array(known.buffer), known.name);
      gallery.watch.expectFault(/status of 4(15|22) .*api\/upload/);

      await hands.upload(all);

      await gallery.expectUploads('97 uploaded, 1 already here, 2 refused');
      expect(new Set((await catalog.list()).map(({ sha256 }) => sha256))).to.have.length(GOOD + 1);
      await gallery.expectPictures(GOOD + 1);
      await check('uploaded');
    });

    it('says why the broken ones were refused', async () => {
      await gallery.uploadProblems.check();

      expect(await gallery.uploadRow('truncated.jpg').textContent()).to.include('Damaged or incomplete');
      expect(await gallery.uploadRow('notes.jpg').textContent()).to.include('Neither a JPEG nor a PNG');
      await hands.closeUploads();
      await gallery.uploads.waitFor({ state: 'hidden' });
    });

    it('shows them by month, newest first', async () => {
      expect(await gallery.nameOf(gallery.picture(0))).to.equal(KNOWN);
      expect(await gallery.nameOf(gallery.picture(1))).to.equal('cat-001.jpg');
      await gallery.month('November 2025').waitFor();
      await gallery.expectPicturesLoaded();
      await check('grid');
    });

    it('finds a picture by a word', async () => {
      await hands.search('cat-017');

      await gallery.expectPictures(1);
      expect(await gallery.nameOf(gallery.picture(0))).to.equal('cat-017.jpg');
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

      await gallery.expectPictures(GOOD + 1);
    });

    it('opens a picture, and steps to the next and back', async () => {
      await hands.openFirst();
      await gallery.expectViewer(KNOWN);

      await hands.showNext();
      await gallery.expectViewer('cat-001.jpg');
      await hands.showPrevious();
      await gallery.expectViewer(KNOWN);

      await check('viewer');
    });

    it('zooms', async () => {
      const picture = gallery.viewerPicture(KNOWN);
      const fitted = await widthOf(picture);

      await hands.zoomIn(KNOWN);
      expect(
        await eventually(
          () => widthOf(picture),
          (width) => width > fitted,
        ),
      ).to.be.greaterThan(fitted);
      await hands.zoomOut(KNOWN);
      expect(
        await eventually(
          () => widthOf(picture),
          (width) => width === fitted,
        ),
      ).to.equal(fitted);

      gallery.watch.expectCalm('zooming');
    });

    it('edits title and description', async () => {
      await hands.openPanel();
      await hands.setTitle(TITLE);
      await hands.setDescription('A tabby cat.\nShe is curious.');

      const saved = await eventually(
        () => metadataOf(KNOWN),
        ({ title, description }) => title !== null && description !== null,
      );
      expect(saved).to.include({ title: TITLE, description: 'A tabby cat.\nShe is curious.' });
      await check('panel');
    });

    it('adds tags', async () => {
      await hands.addTag('garden');
      await hands.addTag('Chelsea');

      const saved = await eventually(
        () => metadataOf(KNOWN),
        ({ tags }) => tags.length === 2,
      );
      expect(saved.tags).to.deep.equal(['Chelsea', 'garden']);
      gallery.watch.expectCalm('adding tags');
    });

    it('goes back to the grid with the focus on the picture', async () => {
      await hands.closeViewer();

      await gallery.viewer(TITLE).waitFor({ state: 'hidden' });
      expect(await gallery.nameOf(gallery.picture(0))).to.equal(TITLE);
      expect(await eventually(() => hasFocus(gallery.picture(0)), Boolean)).to.equal(true);
    });

    it('tags a selection', async () => {
      await hands.selectFirst(4);
      await gallery.selection.getByText('4 selected').waitFor();
      await check('selection');

      await hands.tagSelection('sleeping');

      const tagged = await eventually(
        async () => (await catalog.list()).filter(({ tags }) => tags.includes('sleeping')),
        (images) => images.length === 4,
      );
      expect(tagged).to.have.length(4);
      await gallery.tagDialog.waitFor({ state: 'hidden' });
      if (await gallery.selection.isVisible()) await hands.clearSelection();
    });

    it('finds pictures by a tag', async () => {
      await hands.searchTag('sleeping');

      await gallery.expectPictures(4);
      expect(new URL(gallery.page.url()).searchParams.get('tags')).to.equal('sleeping');
      gallery.watch.expectCalm('searching a tag');
    });

    it('deletes, and takes it back', async () => {
      await hands.selectFirst(2);
      await hands.deleteSelection();
      await gallery.expectPictures(2);

      await hands.undoDeletion();

      await gallery.expectPictures(4);
      expect(await catalog.list()).to.have.length(GOOD + 1);
    });

    if (isThorough) {
      it('deletes for good when the time to undo is over', async () => {
        await hands.selectFirst(1);
        await hands.deleteSelection();
        await gallery.undoButton.waitFor();
        await check('deleted');

        const left = await eventually(
          () => catalog.list(),
          (images) => images.length === GOOD,
          DELETED_WITHIN_MS,
        );
        expect(left).to.have.length(GOOD);
        await gallery.expectPictures(3);
        gallery.watch.expectCalm('deleting');
      });
    }

    it('signs out', async () => {
      await hands.signOut();

      await gallery.signInButton.waitFor();
      gallery.watch.expectCalm('signing out');
    });

    async function check(view: string): Promise<void> {
      gallery.watch.expectCalm(view);
      if (!isThorough) return;
      await expectAccessible(gallery.page, view);
      await takeScreenshots(gallery.page, view);
      // Other sizes and colours move things.
      gallery.watch.forget();
    }

    async function metadataOf(name: string): Promise<ImageRecord & { readonly description: string | null }> {
      const image = (await catalog.list()).find(({ originalName }) => originalName === name);
      if (image === undefined) throw new Error(`There is no ${name}`);
      const response = await catalog.read(`api/image/${image.id}/metadata`);
      return { ...image, ...((await response.json()) as { description: string | null }) };
    }
  });
}

/** In pixels of the screen. */
async function widthOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} cannot be seen`);
  return Math.round(box.width);
}
