import type { ImageRecord } from '@image-catalog/client';
import { Store } from '../base/store.ts';
import type { EditOptions, Edits } from '../edits/edits.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { ImageList } from '../images/image-list.ts';
import type { Notices } from '../notices/notices.ts';
import type { ViewState } from '../view-state/view-state.ts';
import { isStar, STAR, withStar } from './star-tag.ts';
import { starTexts } from './star-texts.ts';

export interface StarsParts {
  readonly edits: Pick<Edits, 'change' | 'refreshList'>;
  readonly images: Pick<CurrentImages, 'list'>;
  readonly view: Store<ViewState>;
  readonly notices: Pick<Notices, 'show'>;
}

/** Pictures whose star is the same now. */
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

  /** Removes the star if all of the pictures have one. It is said what was done, and can be undone. */
  toggle(ids: readonly number[]): void {
    if (ids.length === 0) return;
    const list = this.#parts.images.list.get();
    const isStarred = !ids.every((id) => this.#isStarred(id, list));
    this.#change(ids, isStarred, ({ updated }) =>
      updated.length === 0 ? '' : starTexts().said(updated.length, isStarred),
    );
  }

  set(ids: readonly number[], isStarred: boolean): void {
    this.#change(ids, isStarred);
  }

  #change(ids: readonly number[], isStarred: boolean, textOf?: EditOptions['textOf']): void {
    const change = { ids, isStarred };
    this.pending.update((pending) => new Map([...pending, ...ids.map((id) => [id, change] as const)]));
    // One after the other: the last one wins at the service, too.
    this.#last = this.#last.then(() => this.#send(change, textOf));
  }

  /** Never rejects. */
  async #send(change: StarChange, textOf: EditOptions['textOf']): Promise<void> {
    const { edits, notices } = this.#parts;
    const { ids, isStarred } = change;
    const edit = isStarred ? { addTags: [STAR] } : { removeTags: [STAR] };
    const { updated, refused } = await edits.change(ids, edit, { textOf });
    await this.#updateList({ ids: updated, isStarred });
    this.pending.update((pending) => new Map([...pending].filter(([, other]) => other !== change)));
    this.saved.set({ ids: updated, isStarred });
    if (refused.length > 0) notices.show(starTexts().refused(refused.length), { tone: 'error' });
  }

  async #updateList({ ids, isStarred }: StarChange): Promise<void> {
    const { edits, images, view } = this.#parts;
    const list = images.list.get();
    if (list === undefined || ids.length === 0) return;
    const isFilter = view.get().tags.some(isStar);
    const only = ids.length === 1 ? list.find(ids[0] ?? 0) : undefined;
    if (only !== undefined) list.replace(withStar(only, isStarred));
    if (ids.length > 1 || isFilter) await edits.refreshList();
  }

  #isStarred(id: number, list: ImageList | undefined): boolean {
    return this.has(list?.find(id) ?? { id, tags: [] });
  }
}
