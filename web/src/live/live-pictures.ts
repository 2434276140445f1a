import type { Change, ImageCatalog, ImageRecord } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import { recordFields } from '../catalog/record-fields.ts';
import type { Deletions } from '../deletion/deletions.ts';
import type { CurrentImages } from '../images/current-images.ts';
import { timeOf } from '../images/record-time.ts';
import type { Selection } from '../selection/selection.ts';
import { filtersOf, isFiltered, type ViewState } from '../view-state/view-state.ts';

export interface LivePicturesParts {
  readonly catalog: Pick<ImageCatalog, 'page'>;
  readonly images: Pick<CurrentImages, 'list'>;
  readonly view: Store<ViewState>;
  readonly deletions: Pick<Deletions, 'removed' | 'restored'>;
  readonly selection: Pick<Selection, 'ids' | 'remove'>;
  readonly clock: Pick<Clock, 'after' | 'now'>;
  /** Whether the picture was uploaded or restored by this page. */
  readonly isOwn: (id: number) => boolean;
}

/** A picture whose metadata others have changed. */
export interface Edit {
  readonly image: ImageRecord;
  /** Of the metadata. */
  readonly version: number | undefined;
}

/** What is new in the list. */
const CREATED: ReadonlySet<string> = new Set(['image.created', 'image.restored']);
/** From a change that only the service can place until it is asked. */
const REFRESH_MS = 500;
/** A search may be expensive, and others may edit thousands of pictures. */
const REFRESH_INTERVAL_MS = 10_000;
/** Of a page of the service. */
const MOST_FOUND = 1000;

/** Brings what happens in the catalog into the list of the view, so that nothing moves that is looked at. */
export class LivePictures {
  /** New pictures of the view that are not shown yet. */
  readonly waiting = new Store<ReadonlyMap<number, ImageRecord>>(new Map());
  /** The last edits, for what is shown beside the list. */
  readonly edits = new Store<readonly Edit[]>([]);
  /** The last of all changes, for pages that show something else. */
  readonly changes = new Store<readonly Change[]>([]);
  readonly #parts: LivePicturesParts;
  #isRefreshAsked = false;
  /** Epoch ms. */
  #nextRefresh = 0;

  constructor(parts: LivePicturesParts) {
    this.#parts = parts;
    const { images, view } = parts;
    // Another view has asked the service later.
    images.list.subscribe(() => this.waiting.set(new Map()));
    view.subscribe(() => {
      if (this.#isRefreshAsked) this.#refresh();
    });
  }

  /** May repeat what is known. Never rejects. */
  async apply(changes: readonly Change[]): Promise<void> {
    this.changes.set(changes);
    await this.#apply(changes.filter(({ name }) => name === undefined));
  }

  async #apply(changes: readonly Change[]): Promise<void> {
    const last = [...new Map(changes.map((change) => [change.id, change])).values()];
    const gone = last.filter(({ type, image }) => type === 'image.deleted' || image === null);
    if (gone.length > 0) this.#remove(gone.map(({ id }) => id));
    const created = new Set(changes.filter(({ type }) => CREATED.has(type)).map(({ id }) => id));
    const present = last.flatMap(({ id, image, version }) => (image ? [{ id, image, version }] : []));
    this.#edit(present.filter(({ id }) => !created.has(id)));
    const added = present.filter(({ id }) => created.has(id)).map(({ image }) => image);
    const restored = last.filter(({ type }) => type === 'image.restored').map(({ id }) => id);
    if (restored.length > 0) this.#restore(restored);
    await this.#add(added.filter(({ id }) => !this.#parts.isOwn(id))).catch(() => undefined);
  }

  /** Own uploads are shown as soon as they are done, whoever is told of them first. */
  releaseOwn(): void {
    const own = [...this.waiting.get().keys()].filter((id) => this.#parts.isOwn(id));
    if (own.length > 0) this.#release(own);
  }

  /** Shows the pictures that wait. Resolves to the position of the first of them. */
  async bringIn(): Promise<number> {
    const list = this.#parts.images.list.get();
    const records = [...this.waiting.get().values()];
    this.#release([...this.waiting.get().keys()]);
    await list?.refresh();
    this.#isRefreshAsked = false;
    const isTimeline = this.#parts.view.get().sort === 'taken';
    const newest = records.sort((a, b) => timeOf(b) - timeOf(a))[0];
    if (list === undefined || newest === undefined || !isTimeline) return 0;
    return (await list.locate(newest).catch(() => undefined)) ?? 0;
  }

  /** After a gap in the feed. */
  async restart(): Promise<void> {
    this.#release([...this.waiting.get().keys()]);
    await this.#parts.images.list.get()?.refresh();
  }

  #release(ids: readonly number[]): void {
    this.#forget(ids);
    this.#parts.images.list.get()?.show(ids);
  }

  #forget(ids: readonly number[]): void {
    if (!ids.some((id) => this.waiting.get().has(id))) return;
    this.waiting.update((waiting) => new Map([...waiting].filter(([id]) => !ids.includes(id))));
  }

  #remove(ids: readonly number[]): void {
    const { images, deletions, selection } = this.#parts;
    const list = images.list.get();
    // Only the service knows in which month it was, and whether it was in the view.
    const isElsewhere = ids.some((id) => !this.waiting.get().has(id) && list?.positionOf(id) === undefined);
    this.#forget(ids);
    if (ids.some((id) => selection.ids.get().has(id))) selection.remove(ids);
    if (deletions.removed(ids) && isElsewhere) this.#refreshSoon();
  }

  #restore(ids: readonly number[]): void {
    const { deletions, isOwn } = this.#parts;
    deletions.restored(ids);
    // The feed may say late that this page has deleted them.
    this.#release(ids.filter(isOwn));
  }

  #edit(edits: readonly (Edit & { readonly id: number })[]): void {
    const { images, view } = this.#parts;
    const list = images.list.get();
    // Own edits are in the list already.
    const news = edits.filter(({ image }) => !isSame(list?.find(image.id), image));
    if (news.length === 0) return;
    list?.replace(...news.map(({ image }) => image));
    this.edits.set(news);
    if (isFiltered(view.get())) this.#refreshSoon();
  }

  async #add(created: readonly ImageRecord[]): Promise<void> {
    const { images, view } = this.#parts;
    const list = images.list.get();
    const unknown = created.filter(({ id }) => list?.positionOf(id) === undefined);
    const added = await this.#inView(unknown);
    if (list === undefined || list !== images.list.get() || added.length === 0) return;
    // Behind the last picture, or on an empty page, nothing moves.
    if (list.count === 0 || view.get().sort === 'first-added') {
      this.#refreshSoon();
      return;
    }
    // A refresh for another reason does not show them either.
    list.hide(added.map(({ id }) => id));
    this.waiting.update(
      (waiting) => new Map([...waiting, ...added.map((image) => [image.id, image] as const)]),
    );
  }

  /** The service knows best what matches a search. */
  async #inView(records: readonly ImageRecord[]): Promise<readonly ImageRecord[]> {
    const { catalog, view } = this.#parts;
    if (!isFiltered(view.get()) || records.length === 0) return records;
    const first = Math.min(...records.map(({ createdAt }) => Date.parse(createdAt)));
    // The bound is exclusive.
    const createdAfter = new Date(first - 1);
    const { records: found } = await catalog.page({
      ...filtersOf(view.get()),
      createdAfter,
      limit: MOST_FOUND,
    });
    const ids = new Set(found.map(({ id }) => id));
    return records.filter(({ id }) => ids.has(id));
  }

  #refreshSoon(): void {
    if (this.#isRefreshAsked) return;
    this.#isRefreshAsked = true;
    const { clock } = this.#parts;
    // The clock of the device may have been set back.
    const left = Math.min(this.#nextRefresh - clock.now(), REFRESH_INTERVAL_MS);
    const delay = Math.max(REFRESH_MS, left);
    this.#nextRefresh = clock.now() + delay + REFRESH_INTERVAL_MS;
    clock.after(delay, () => this.#refresh());
  }

  /** Not while the viewer shows a picture: it would lose its place. What waits comes with the next one. */
  #refresh(): void {
    const { images, view } = this.#parts;
    const mustWait = view.get().image !== undefined || this.waiting.get().size > 0;
    if (!this.#isRefreshAsked || mustWait) return;
    this.#isRefreshAsked = false;
    void images.list.get()?.refresh();
  }
}

/** Whether both show the same in the fields that people write. */
function isSame(before: ImageRecord | undefined, after: ImageRecord): boolean {
  if (before === undefined) return false;
  return JSON.stringify(recordFields(before)) === JSON.stringify(recordFields(after));
}
