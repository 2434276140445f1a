import type { ImageCatalog } from '@image-catalog/client';
import { hasCode } from '../base/has-code.ts';
import { Store } from '../base/store.ts';
import { forEachImage } from '../catalog/for-each-image.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { Notices } from '../notices/notices.ts';
import type { UndoSteps } from '../undo/undo-steps.ts';
import { deletionTexts } from './deletion-texts.ts';
import { reportFailures } from './report-failures.ts';

export interface DeletionsParts {
  readonly catalog: Pick<ImageCatalog, 'delete'>;
  readonly images: Pick<CurrentImages, 'list'>;
  readonly notices: Pick<Notices, 'show'>;
  readonly undo: Pick<UndoSteps, 'add'>;
  readonly hasTrash: boolean;
}

export interface DeleteOptions {
  /** Called if the deletion is undone. */
  readonly onUndone?: () => void;
}

/** The pictures of one call of `delete`, as long as they can be undone. */
interface Step extends DeleteOptions {
  readonly ids: readonly number[];
  /** It cannot be undone any more. */
  end: () => void;
}

/** Deletes when the undo time is over, or when the page is left. */
export class Deletions {
  /** Deleted since the page was opened, or to be deleted when the undo time is over. */
  readonly hidden = new Store<ReadonlySet<number>>(new Set());
  /** Those of `hidden` that others have deleted. */
  readonly byOthers = new Store<ReadonlySet<number>>(new Set());
  /** Restored from the trash by this page, or about to be. */
  readonly restoredHere = new Set<number>();
  readonly #parts: DeletionsParts;
  /** The service does not have them any more. */
  readonly #gone = new Set<number>();
  #steps: readonly Step[] = [];
  /** Requests under way. */
  #sending: Promise<unknown> = Promise.resolve();

  constructor(parts: DeletionsParts) {
    this.#parts = parts;
    // A view that is opened meanwhile does not show them either.
    parts.images.list.subscribe(() => this.#hide([...this.hidden.get()]));
  }

  /** Hides the pictures at once and sends the requests when the undo time is over. */
  delete(ids: readonly number[], options: DeleteOptions = {}): void {
    const added = [...new Set(ids)].filter((id) => !this.hidden.get().has(id));
    if (added.length === 0) return;
    this.hidden.update((hidden) => new Set([...hidden, ...added]));
    this.#hide(added);
    const step: Step = { ...options, ids: added, end: () => {} };
    this.#steps = [...this.#steps, step];
    const { deleted, trashed } = deletionTexts();
    step.end = this.#parts.undo.add({
      text: this.#parts.hasTrash ? trashed(added.length) : deleted(added.length),
      undo: () => this.#undo(step),
      onExpired: () => this.#send(),
    });
  }

  /**
   * The feed says that they are deleted.
   *
   * @returns whether others did it
   */
  removed(ids: readonly number[]): boolean {
    for (const id of ids) this.#gone.add(id);
    const added = ids.filter((id) => !this.hidden.get().has(id));
    if (added.length === 0) return false;
    this.byOthers.update((known) => new Set([...known, ...added]));
    this.hidden.update((hidden) => new Set([...hidden, ...added]));
    this.#hide(added);
    return true;
  }

  /** They are back from the trash. The list of the view does not show them yet. */
  restored(ids: readonly number[]): void {
    for (const id of ids) this.#gone.delete(id);
    for (const store of [this.hidden, this.byOthers]) {
      store.update((known) => new Set([...known].filter((id) => !ids.includes(id))));
    }
  }

  /** Pictures that can still be undone. */
  get pending(): number {
    return this.#steps.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /**
   * Ends the undo time. Resolves when no request is under way.
   *
   * @param keepalive if the page is left
   */
  async sendNow({ keepalive = false } = {}): Promise<void> {
    for (const { end } of this.#steps) end();
    this.#send({ keepalive });
    await this.#sending;
  }

  #undo(step: Step): void {
    this.#steps = this.#steps.filter((other) => other !== step);
    const { length } = this.#show(step.ids);
    this.#parts.notices.show(length === 0 ? deletionTexts().gone : deletionTexts().undone(length));
    if (length > 0) step.onUndone?.();
  }

  #send({ keepalive = false } = {}): void {
    const ids = this.#steps.flatMap((step) => step.ids);
    this.#steps = [];
    if (ids.length > 0) this.#sending = Promise.all([this.#sending, this.#deleteAll(ids, keepalive)]);
  }

  async #deleteAll(ids: readonly number[], keepalive: boolean): Promise<void> {
    // A page that is left starts no request later.
    const concurrency = keepalive ? ids.length : undefined;
    const failures = await forEachImage(ids, (id) => this.#deleteOne(id, keepalive), concurrency);
    if (failures.length > 0) this.#show(failures.map(({ id }) => id));
    reportFailures(this.#parts.notices, failures, deletionTexts().failed);
    if (failures.length === ids.length) return;
    // What was deleted stays hidden in a list that cannot be refreshed now.
    await this.#parts.images.list.get()?.refresh();
  }

  async #deleteOne(id: number, keepalive: boolean): Promise<void> {
    try {
      await this.#parts.catalog.delete(id, { keepalive });
    } catch (error) {
      if (!hasCode(error, 'image_not_found')) throw error;
    }
  }

  #hide(ids: readonly number[]): void {
    if (ids.length > 0) this.#parts.images.list.get()?.hide(ids);
  }

  /** @returns those that are still there */
  #show(ids: readonly number[]): readonly number[] {
    const present = ids.filter((id) => !this.#gone.has(id));
    this.hidden.update((hidden) => new Set([...hidden].filter((id) => !present.includes(id))));
    this.#parts.images.list.get()?.show(present);
    return present;
  }
}
