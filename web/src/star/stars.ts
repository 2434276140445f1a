import type { ImageCatalog, ImageRecord } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { ImageList } from '../images/image-list.ts';
import type { Notices } from '../notices/notices.ts';
import type { Trouble } from '../states/trouble.ts';
import { type TagOutcome, tagImages } from '../tags/tag-images.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { isStar, STAR, withStar } from './star-tag.ts';
import { starTexts } from './star-texts.ts';

export interface StarsParts {
  readonly catalog: Pick<ImageCatalog, 'tag'>;
  readonly images: Pick<CurrentImages, 'list'>;
  readonly view: Store<ViewState>;
  readonly notices: Pick<Notices, 'show'>;
  readonly trouble: Pick<Trouble, 'report'>;
}

/** One call of `set`. */
export interface StarChange {
  readonly ids: readonly number[];
  readonly isStarred: boolean;
}

/** Marks pictures by a tag. A change is shown at once, and taken back if the service refuses it. */
export class Stars {
  /** Changes that are not in the records of the list yet. */
  readonly pending = new Store<ReadonlyMap<number, StarChange>>(new Map());
  /** The last change that the service has accepted: records outside of the list have to follow it. */
  readonly saved = new Store<StarChange | undefined>(undefined);
  readonly #parts: StarsParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: StarsParts) {
    this.#parts = parts;
  }

  has({ id, tags }: Pick<ImageRecord, 'id' | 'tags'>): boolean {
    return this.pending.get().get(id)?.isStarred ?? tags.some(isStar);
  }

  /** Removes the star if all of the pictures have one, and says in a notice what was done. */
  toggle(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const list = this.#parts.images.list.get();
    const isStarred = !ids.every((id) => this.#isStarred(id, list));
    this.#parts.notices.show(starTexts().said(ids.length, isStarred));
    this.set(ids, isStarred);
  }

  set(ids: readonly number[], isStarred: boolean): void {
    const change = { ids, isStarred };
    this.pending.update((pending) => new Map([...pending, ...ids.map((id) => [id, change] as const)]));
    // One after the other: the last one wins at the service, too.
    this.#last = this.#last.then(() => this.#send(change));
  }

  /** Never rejects. */
  async #send(change: StarChange): Promise<void> {
    const { catalog } = this.#parts;
    const { ids, isStarred } = change;
    const tags = isStarred ? { add: [STAR], remove: [] } : { add: [], remove: [STAR] };
    const outcome = await tagImages(catalog, ids, tags);
    await this.#updateList({ ids: outcome.updated, isStarred });
    this.pending.update((pending) => new Map([...pending].filter(([, other]) => other !== change)));
    this.saved.set({ ids: outcome.updated, isStarred });
    this.#report(outcome);
  }

  #report({ refused, left, error }: TagOutcome): void {
    const { notices, trouble } = this.#parts;
    if (refused.length > 0) notices.show(starTexts().refused(refused.length), { tone: 'error' });
    if (left.length > 0) trouble.report(error);
  }

  async #updateList({ ids, isStarred }: StarChange): Promise<void> {
    const list = this.#parts.images.list.get();
    if (list === undefined || ids.length === 0) return;
    const isFilter = this.#parts.view.get().tags.some(isStar);
    const only = ids.length === 1 ? list.find(ids[0] ?? 0) : undefined;
    if (only !== undefined) list.replace(withStar(only, isStarred));
    if (ids.length > 1 || isFilter) await this.#refresh(list);
  }

  /** Not while the viewer shows a picture: it would lose its place. */
  async #refresh(list: ImageList): Promise<void> {
    const { view } = this.#parts;
    if (view.get().image === undefined) {
      await list.refresh();
      return;
    }
    const end = view.subscribe(() => {
      if (view.get().image !== undefined) return;
      end();
      void list.refresh();
    });
  }

  #isStarred(id: number, list: ImageList | undefined): boolean {
    return this.has(list?.find(id) ?? { id, tags: [] });
  }
}
