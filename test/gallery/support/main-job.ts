import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { ImageRecord } from '../../support/http/catalog-client.ts';
import { checkView } from './check-view.ts';
import { expectSoon } from './expect-soon.ts';
import { expectFocus } from './gallery-page.ts';
import { chelsea, makePictures, type PickedFile, textFile, truncatedPicture } from './gallery-pictures.ts';
import type { Hands } from './hands.ts';
import { takeFailure } from './screenshots.ts';
import { catalog, describeVisits, gallery, open } from './visits.ts';

const GOOD = 97;
const NEWEST = 'cat-001.jpg';
const NEXT = 'cat-002.jpg';
const TITLE = 'Chelsea looks up';

interface Files {
  readonly all: readonly PickedFile[];
  readonly known: PickedFile;
}

/** 100 files: 97 pictures, one that the catalog has already, and two that are no complete picture. */
async function makeFiles(): Promise<Files> {
  const [good, truncated, known] = await Promise.all([makePictures(GOOD), truncatedPicture(), chelsea()]);
  const all = [...good.slice(0, 20), truncated, ...good.slice(20, 60), known, ...good.slice(60), textFile()];
  return { all, known };
}

export interface MainJobOptions {
  readonly device: string;
  readonly hands: Hands;
  /**
   * Whether axe examines every view, pictures are taken, and the time to undo a deletion is waited for. Once is enough: none
   * of it depends on the device.
   */
  readonly isThorough: boolean;
}

/** What the steps share. */
interface MainJob {
  readonly hands: Hands;
  /** @param view that is there now */
  readonly check: (view: string) => Promise<void>;
}

/** The main job from signing in to signing out. Each step begins where the one before it ended. */
export function describeMainJob({ device, hands, isThorough }: MainJobOptions): void {
  describeVisits(`the main job by ${device}`, { isOneVisit: true }, () => {
    let hasFailed = false;

    before(() => open());

    beforeEach(function () {
      if (hasFailed) this.skip();
    });

    afterEach(async function () {
      if (this.currentTest?.state !== 'failed') return;
      hasFailed = true;
      await takeFailure(gallery.page, this.currentTest.fullTitle());
    });

    const check = async (view: string): Promise<void> => {
      if (isThorough) await checkView(view);
      else gallery.watch.expectCalm(view);
    };
    const job = { hands, check };
    signInAndUpload(job);
    search(job);
    viewAndDescribe(job);
    changeSeveral(job);
    if (isThorough) deleteForGood(job);
    signOut(job);
  });
}

async function metadataOf(name: string): Promise<ImageRecord & { readonly description: string | null }> {
  const image = (await catalog.list()).find(({ originalName }) => originalName === name);
  if (image === undefined) throw new Error(`There is no ${name}`);
  const response = await catalog.read(`api/image/${image.id}/metadata`);
  return { ...image, ...((await response.json()) as { description: string | null }) };
}

function signInAndUpload({ hands, check }: MainJob): void {
  it('signs in to an empty catalog, which says how to fill it', async () => {
    await hands.signIn();

    await gallery.emptyCatalog.waitFor();
    await check('empty');
  });

  it('uploads 100 files of which 2 are broken and 1 is there already', async () => {
    const { all, known } = await makeFiles();
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
    expect(await gallery.uploadRow('notes.jpg').textContent()).to.include('The catalog takes JPEG, PNG.');
    await hands.closeUploads();
    await gallery.uploads.waitFor({ state: 'hidden' });
  });

  it('shows them by month, newest first', async () => {
    // The one without a date is behind all months.
    expect(await gallery.nameOf(gallery.picture(0))).to.match(/^Picture of /);
    expect(await gallery.nameOf(gallery.picture(1))).to.match(/^Picture of /);
    await gallery.month('November 2025').waitFor();
    await gallery.expectPicturesLoaded();
    await check('grid');
  });
}

function search({ hands, check }: MainJob): void {
  it('finds a picture by a word', async () => {
    await hands.search('cat-017');

    await gallery.expectPictures(1);
    expect(await gallery.nameOf(gallery.picture(0))).to.match(/^Picture of /);
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
}

function viewAndDescribe({ hands, check }: MainJob): void {
  it('opens a picture, and steps to the next and back', async () => {
    await hands.openFirst();
    await gallery.expectViewer(NEWEST);

    await hands.showNext();
    await gallery.expectViewer(NEXT);
    await hands.showPrevious();
    await gallery.expectViewer(NEWEST);

    await check('viewer');
  });

  it('zooms', async () => {
    const picture = gallery.viewerPicture(NEWEST);
    const fitted = await widthOf(picture);

    await hands.zoomIn(NEWEST);
    await expectSoon(async () => (await widthOf(picture)) > fitted, true, 'zoomed in');
    await hands.zoomOut(NEWEST);
    await expectSoon(() => widthOf(picture), fitted);

    gallery.watch.expectCalm('zooming');
  });

  it('edits title and description', async () => {
    await hands.openPanel();
    await hands.setTitle(TITLE);
    await hands.setDescription('A tabby cat.\nShe is curious.');

    await expectSoon(async () => {
      const { title, description } = await metadataOf(NEWEST);
      return [title, description];
    }, [TITLE, 'A tabby cat.\nShe is curious.']);
    await check('panel');
  });

  it('adds tags', async () => {
    await hands.addTag('garden');
    await hands.addTag('Chelsea');

    await expectSoon(async () => (await metadataOf(NEWEST)).tags, ['Chelsea', 'garden']);
    gallery.watch.expectCalm('adding tags');
  });

  it('goes back to the grid with the focus on the picture', async () => {
    await hands.closeViewer();

    await gallery.viewer(TITLE).waitFor({ state: 'hidden' });
    expect(await gallery.nameOf(gallery.picture(0))).to.equal(TITLE);
    await expectFocus(gallery.picture(0));
  });
}

function changeSeveral({ hands, check }: MainJob): void {
  it('tags a selection', async () => {
    await hands.selectFirst(4);
    await gallery.selection.getByText('4 selected').waitFor();
    await check('selection');

    await hands.tagSelection('sleeping');

    await expectSoon(async () => {
      const tagged = (await catalog.list()).filter(({ tags }) => tags.includes('sleeping'));
      return tagged.length;
    }, 4);
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
}

function deleteForGood({ hands, check }: MainJob): void {
  it('deletes for good when the time to undo is over', async () => {
    await hands.selectFirst(1);
    await hands.deleteSelection();
    await gallery.undoButton.waitFor();
    await check('deleted');

    await expectSoon(async () => (await catalog.list()).length, GOOD);
    await gallery.expectPictures(3);
    gallery.watch.expectCalm('deleting');
  });
}

function signOut({ hands }: MainJob): void {
  it('signs out', async () => {
    await hands.signOut();

    await gallery.signInButton.waitFor();
    gallery.watch.expectCalm('signing out');
  });
}

/** In pixels of the screen. */
async function widthOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${String(element)} cannot be seen`);
  return Math.round(box.width);
}
