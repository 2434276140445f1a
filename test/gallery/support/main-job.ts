import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import type { CatalogClient, ImageRecord } from '../../support/http/catalog-client.ts';
import { eventually } from '../../support/time/eventually.ts';
import { checkView } from './check-view.ts';
import { expectFocus } from './gallery-page.ts';
import { chelsea, makePictures, type PickedFile, textFile, truncatedPicture } from './gallery-pictures.ts';
import type { Hands } from './hands.ts';
import { takeFailure } from './screenshots.ts';
import { describeVisits, gallery, open, servers } from './visits.ts';

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

/** The main job from signing in to signing out. Each step begins where the one before it ended. */
export function describeMainJob(options: MainJobOptions): void {
  describeVisits(`the main job by ${options.device}`, { isOneVisit: true }, () => {
    let running: MainJob | undefined;
    let hasFailed = false;

    before(async () => {
      running = await MainJob.start(options);
    });

    beforeEach(function () {
      if (hasFailed) this.skip();
    });

    afterEach(async function () {
      if (this.currentTest?.state !== 'failed') return;
      hasFailed = true;
      await takeFailure(gallery.page, this.currentTest.fullTitle());
    });

    function job(): MainJob {
      if (running === undefined) throw new Error('The main job has not begun');
      return running;
    }

    signInAndUpload(job);
    search(job);
    viewAndDescribe(job);
    changeSeveral(job);
    if (options.isThorough) deleteForGood(job);
    signOut(job);
  });
}

/** What the steps share. */
class MainJob {
  private constructor(
    readonly catalog: CatalogClient,
    readonly hands: Hands,
    private readonly isThorough: boolean,
  ) {}

  static async start({ hands, isThorough }: MainJobOptions): Promise<MainJob> {
    await open();
    return new MainJob(await servers.client(), hands, isThorough);
  }

  async check(view: string): Promise<void> {
    if (this.isThorough) await checkView(view);
    else gallery.watch.expectCalm(view);
  }

  async metadataOf(name: string): Promise<ImageRecord & { readonly description: string | null }> {
    const image = (await this.catalog.list()).find(({ originalName }) => originalName === name);
    if (image === undefined) throw new Error(`There is no ${name}`);
    const response = await this.catalog.read(`api/image/${image.id}/metadata`);
    return { ...image, ...((await response.json()) as { description: string | null }) };
  }
}

function signInAndUpload(job: () => MainJob): void {
  it('signs in to an empty catalog, which says how to fill it', async () => {
    const { hands } = job();
    await hands.signIn();

    await gallery.emptyCatalog.waitFor();
    await job().check('empty');
  });

  it('uploads 100 files of which 2 are broken and 1 is there already', async () => {
    const { catalog, hands } = job();
    const { all, known } = await makeFiles();
    await catalog.upload(new Uint8Array(known.buffer), known.name);
    gallery.watch.expectFault(/status of 4(15|22) .*api\/upload/);

    await hands.upload(all);

    await gallery.expectUploads('97 uploaded, 1 already here, 2 refused');
    expect(new Set((await catalog.list()).map(({ sha256 }) => sha256))).to.have.length(GOOD + 1);
    await gallery.expectPictures(GOOD + 1);
    await job().check('uploaded');
  });

  it('says why the broken ones were refused', async () => {
    const { hands } = job();
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
    await job().check('grid');
  });
}

function search(job: () => MainJob): void {
  it('finds a picture by a word', async () => {
    const { hands } = job();
    await hands.search('cat-017');

    await gallery.expectPictures(1);
    expect(await gallery.nameOf(gallery.picture(0))).to.match(/^Picture of /);
    expect(new URL(gallery.page.url()).searchParams.get('q')).to.equal('cat-017');
    await job().check('found');
  });

  it('says what to do if nothing is found', async () => {
    const { hands } = job();
    await hands.search('dogs');

    await gallery.nothingFound.waitFor();
    await job().check('nothing-found');
  });

  it('shows all pictures again', async () => {
    const { hands } = job();
    await hands.clearSearch();

    await gallery.expectPictures(GOOD + 1);
  });
}

function viewAndDescribe(job: () => MainJob): void {
  it('opens a picture, and steps to the next and back', async () => {
    const { hands } = job();
    await hands.openFirst();
    await gallery.expectViewer(NEWEST);

    await hands.showNext();
    await gallery.expectViewer(NEXT);
    await hands.showPrevious();
    await gallery.expectViewer(NEWEST);

    await job().check('viewer');
  });

  it('zooms', async () => {
    const { hands } = job();
    const picture = gallery.viewerPicture(NEWEST);
    const fitted = await widthOf(picture);

    await hands.zoomIn(NEWEST);
    expect(
      await eventually(
        () => widthOf(picture),
        (width) => width > fitted,
      ),
    ).to.be.greaterThan(fitted);
    await hands.zoomOut(NEWEST);
    expect(
      await eventually(
        () => widthOf(picture),
        (width) => width === fitted,
      ),
    ).to.equal(fitted);

    gallery.watch.expectCalm('zooming');
  });

  it('edits title and description', async () => {
    const { hands } = job();
    await hands.openPanel();
    await hands.setTitle(TITLE);
    await hands.setDescription('A tabby cat.\nShe is curious.');

    const saved = await eventually(
      () => job().metadataOf(NEWEST),
      ({ title, description }) => title !== null && description !== null,
    );
    expect(saved).to.include({ title: TITLE, description: 'A tabby cat.\nShe is curious.' });
    await job().check('panel');
  });

  it('adds tags', async () => {
    const { hands } = job();
    await hands.addTag('garden');
    await hands.addTag('Chelsea');

    const saved = await eventually(
      () => job().metadataOf(NEWEST),
      ({ tags }) => tags.length === 2,
    );
    expect(saved.tags).to.deep.equal(['Chelsea', 'garden']);
    gallery.watch.expectCalm('adding tags');
  });

  it('goes back to the grid with the focus on the picture', async () => {
    const { hands } = job();
    await hands.closeViewer();

    await gallery.viewer(TITLE).waitFor({ state: 'hidden' });
    expect(await gallery.nameOf(gallery.picture(0))).to.equal(TITLE);
    await expectFocus(gallery.picture(0));
  });
}

function changeSeveral(job: () => MainJob): void {
  it('tags a selection', async () => {
    const { catalog, hands } = job();
    await hands.selectFirst(4);
    await gallery.selection.getByText('4 selected').waitFor();
    await job().check('selection');

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
    const { hands } = job();
    await hands.searchTag('sleeping');

    await gallery.expectPictures(4);
    expect(new URL(gallery.page.url()).searchParams.get('tags')).to.equal('sleeping');
    gallery.watch.expectCalm('searching a tag');
  });

  it('deletes, and takes it back', async () => {
    const { catalog, hands } = job();
    await hands.selectFirst(2);
    await hands.deleteSelection();
    await gallery.expectPictures(2);

    await hands.undoDeletion();

    await gallery.expectPictures(4);
    expect(await catalog.list()).to.have.length(GOOD + 1);
  });
}

function deleteForGood(job: () => MainJob): void {
  it('deletes for good when the time to undo is over', async () => {
    const { catalog, hands } = job();
    await hands.selectFirst(1);
    await hands.deleteSelection();
    await gallery.undoButton.waitFor();
    await job().check('deleted');

    const left = await eventually(
      () => catalog.list(),
      (images) => images.length === GOOD,
    );
    expect(left).to.have.length(GOOD);
    await gallery.expectPictures(3);
    gallery.watch.expectCalm('deleting');
  });
}

function signOut(job: () => MainJob): void {
  it('signs out', async () => {
    const { hands } = job();
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
