import { CatalogError } from '@image-catalog/client';
import { expect } from 'chai';
import { LinkMissing } from '../../../web/src/catalog/link-missing.ts';
import { changeImages } from '../../../web/src/edits/change-images.ts';
import { Edits, type EditsParts } from '../../../web/src/edits/edits.ts';
import { Selection } from '../../../web/src/selection/selection.ts';
import { presentTags } from '../../../web/src/selection-bar/present-tags.ts';
import { SelectionActions, type SelectionParts } from '../../../web/src/selection-bar/selection-actions.ts';
import type { UndoStep } from '../../../web/src/undo/undo-steps.ts';

const TOO_MANY = new CatalogError('"addTags" would give an image more than 100 tags', {
  code: 'invalid_request',
  status: 400,
});
const READ_ONLY = new CatalogError('The service is read-only', { code: 'read_only', status: 503 });
const CHANGE = { addTags: ['tabby'], removeTags: ['unsorted'] };

function idsUpTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Tags images, but not those with 100 tags, nor those that were deleted. */
class FakeCatalog {
  readonly requests: Array<readonly number[]> = [];
  readonly full = new Set<number>();
  readonly deleted = new Set<number>();
  /** Of this request and all behind it. */
  error: { readonly from: number; readonly value: unknown } | undefined;

  async editMany(ids: readonly number[]): Promise<Record<'updated' | 'missing', readonly number[]>> {
    this.requests.push(ids);
    await Promise.resolve();
    if (this.error !== undefined && this.requests.length >= this.error.from) throw this.error.value;
    if (ids.some((id) => this.full.has(id))) throw TOO_MANY;
    return {
      updated: ids.filter((id) => !this.deleted.has(id)),
      missing: ids.filter((id) => this.deleted.has(id)),
    };
  }
}

describe('tags of many pictures', () => {
  it('are changed in batches of 500', async () => {
    const catalog = new FakeCatalog();
    const progress: number[] = [];
    const outcome = await changeImages(catalog, idsUpTo(1201), CHANGE, (done) => progress.push(done));
    expect(outcome.updated).to.deep.equal(idsUpTo(1201));
    expect(catalog.requests.map((ids) => ids.length)).to.deep.equal([500, 500, 201]);
    expect(progress).to.deep.equal([500, 1000, 1201]);
  });

  it('are changed beside those that would have too many, and those that were deleted', async () => {
    const catalog = new FakeCatalog();
    catalog.full.add(77).add(900);
    catalog.deleted.add(3);
    const { updated, missing, refused, left } = await changeImages(catalog, idsUpTo(1000), CHANGE);
    expect(refused).to.deep.equal([77, 900]);
    expect(missing).to.deep.equal([3]);
    expect(updated.toSorted((a, b) => a - b)).to.deep.equal(
      idsUpTo(1000).filter((id) => ![3, 77, 900].includes(id)),
    );
    expect(left).to.deep.equal([]);
    expect(catalog.requests.length).to.be.at.most(2 + 2 * 2 * 9);
  });

  it('take a bounded number of requests if all would have too many', async () => {
    const catalog = new FakeCatalog();
    for (const id of idsUpTo(2000)) catalog.full.add(id);
    const { refused } = await changeImages(catalog, idsUpTo(2000), CHANGE);
    expect(refused.toSorted((a, b) => a - b)).to.deep.equal(idsUpTo(2000));
    expect(catalog.requests.length).to.be.at.most(4 + 2 * 60);
  });

  it('stay as they are after an error', async () => {
    const catalog = new FakeCatalog();
    catalog.error = { from: 2, value: READ_ONLY };
    const outcome = await changeImages(catalog, idsUpTo(1100), CHANGE);
    expect(outcome.updated).to.deep.equal(idsUpTo(500));
    expect(outcome.left).to.deep.equal(idsUpTo(1100).slice(500));
    expect(outcome.error).to.equal(READ_ONLY);
    expect(catalog.requests).to.have.length(2);
  });

  it('stay as they are if the service refuses a tag', async () => {
    const catalog = new FakeCatalog();
    const refusal = new CatalogError('"addTags" must be tags without control characters', {
      code: 'invalid_request',
      status: 400,
    });
    catalog.error = { from: 1, value: refusal };
    expect((await changeImages(catalog, idsUpTo(8), CHANGE)).left).to.deep.equal(idsUpTo(8));
    expect(catalog.requests).to.have.length(1);
  });
});

describe('tags of selected pictures', () => {
  it('are counted for those that are loaded, the most frequent first', () => {
    const tags = [['sofa'], ['sofa', 'tabby'], []];
    const list = {
      find: (id: number) => (id <= 3 ? ({ tags: tags[id - 1] } as never) : undefined),
    };
    expect(presentTags(list, [1, 2, 3, 4])).to.deep.equal([
      { tag: 'sofa', count: 2 },
      { tag: 'tabby', count: 1 },
    ]);
    expect(presentTags(undefined, [1])).to.deep.equal([]);
  });
});

/** Records what the actions do. */
class Surroundings {
  readonly catalog = new FakeCatalog();
  readonly selection = new Selection({ show: () => () => undefined });
  readonly notices: string[] = [];
  readonly undoable: string[] = [];
  readonly reported: unknown[] = [];
  readonly saved: string[] = [];
  readonly archives: Array<readonly number[]> = [];
  readonly deleted: Array<readonly number[]> = [];
  readonly missing = new Set<number>();
  linkError: unknown;
  refreshes = 0;
  undo: () => void = () => undefined;
  readonly actions: SelectionActions;

  constructor(ids: readonly number[]) {
    this.selection.add(ids);
    const metadata = async (): Promise<object> => ({ tags: [] });
    const edited = {
      catalog: { editMany: this.catalog.editMany.bind(this.catalog), metadata },
      images: { list: { get: () => ({ find: noop, refresh: async () => void (this.refreshes += 1) }) } },
      view: { get: () => ({ image: undefined }) },
      notices: { show: (text: string) => this.notices.push(text) },
      trouble: { report: (error: unknown) => this.reported.push(error) },
      undo: { add: ({ text }: UndoStep) => this.undoable.push(text) },
    };
    const parts = {
      ...edited,
      edits: new Edits(edited as unknown as EditsParts),
      selection: this.selection,
      archive: { start: async (asked: readonly number[]) => void this.archives.push(asked) },
      links: { url: async (id: number, options: object) => await this.#link(id, options) },
      deletions: {
        delete: (gone: readonly number[], { onUndone }: { readonly onUndone: () => void }) => {
          this.deleted.push(gone);
          this.undo = onUndone;
        },
      },
    };
    this.actions = new SelectionActions(parts as unknown as SelectionParts, (url) => this.saved.push(url));
  }

  get selected(): readonly number[] {
    return [...this.selection.ids.get()];
  }

  async #link(id: number, options: object): Promise<string> {
    await Promise.resolve();
    if (this.linkError !== undefined) throw this.linkError;
    if (this.missing.has(id)) throw new LinkMissing();
    return `${id} ${JSON.stringify(options)}`;
  }
}

describe('actions on the selection', () => {
  it('tag all, say so and ask the list again', async () => {
    const around = new Surroundings([1, 2, 3]);
    await around.actions.tag(CHANGE);
    expect(around.undoable).to.deep.equal(['Tags of 3 pictures changed.']);
    expect(around.selected).to.deep.equal([1, 2, 3]);
    expect(around.refreshes).to.equal(1);
  });

  it('leave selected what could not be tagged', async () => {
    const around = new Surroundings([1, 2, 3]);
    around.catalog.full.add(2);
    around.catalog.deleted.add(3);
    await around.actions.tag(CHANGE);
    expect(around.undoable).to.deep.equal([
      'Tags of 1 picture changed. 1 picture has been deleted. 1 picture would have more than 100 tags and stays selected.',
    ]);
    expect(around.selected).to.deep.equal([2]);
  });

  it('report the error that ended the tagging', async () => {
    const around = new Surroundings([1, 2]);
    around.catalog.error = { from: 1, value: READ_ONLY };
    await around.actions.tag(CHANGE);
    expect(around.notices).to.deep.equal(['2 pictures could not be changed and stay selected.']);
    expect(around.reported).to.deep.equal([READ_ONLY]);
    expect(around.selected).to.deep.equal([1, 2]);
  });

  it('take deleted pictures out of the selection', async () => {
    const around = new Surroundings([1, 2]);
    around.catalog.deleted.add(1);
    await around.actions.tag(CHANGE);
    expect(around.selected).to.deep.equal([2]);
  });

  it('save one file without a word', async () => {
    const around = new Surroundings([7]);
    await around.actions.download();
    expect(around.saved).to.deep.equal(['7 {"download":true}']);
    expect(around.notices).to.deep.equal([]);
  });

  it('save several files as one', async () => {
    const around = new Surroundings([7, 8, 9]);
    await around.actions.download();
    expect([around.saved, around.archives]).to.deep.equal([[], [[7, 8, 9]]]);
  });

  it('say that the file is gone', async () => {
    const around = new Surroundings([7]);
    around.missing.add(7);
    await around.actions.download();
    expect(around.notices).to.deep.equal(['1 picture has been deleted.']);
  });

  it('report that there are no links', async () => {
    const around = new Surroundings([7]);
    around.linkError = READ_ONLY;
    await around.actions.download();
    expect(around.reported).to.deep.equal([READ_ONLY]);
    expect(around.saved).to.deep.equal([]);
  });

  it('delete, and select again if it is undone', () => {
    const around = new Surroundings([7, 8]);
    around.actions.delete([7, 8]);
    expect(around.deleted).to.deep.equal([[7, 8]]);
    expect(around.selected).to.deep.equal([]);
    around.undo();
    expect(around.selected).to.deep.equal([7, 8]);
  });

  it('delete what the person was asked about, and not what was selected later', () => {
    const around = new Surroundings([8, 9]);
    around.actions.delete([7, 8]);
    expect([around.deleted, around.selected]).to.deep.equal([[[7, 8]], [9]]);
    around.undo();
    expect(around.selected).to.deep.equal([9, 8]);
  });
});

function noop(): void {}
