import { CatalogError, type ImageCatalog } from '@image-catalog/client';
import type { CurrentImages } from '../images/current-images.ts';
import type { Notices } from '../notices/notices.ts';
import { Store } from '../store.ts';
import { texts } from '../texts.ts';
import { deletionRefusal } from './deletion-refusal.ts';

/** How long a deletion can be undone. It stands still while the person is at the notice. */
const UNDO_MS = 8000;

/** Requests under way at a time. */
const CONCURRENCY = 4;

export interface DeleteOptions {
  /** Called if the deletion is undone. */
  readonly onUndone?: () => void;
}

/** The pictures of one call of `delete`, as long as they can be undone. */
interface Step extends DeleteOptions {
  readonly ids: readonly number[];
}

interface Failure {
  readonly id: number;
  readonly error: unknown;
}

/**
 * Deletes after a time in which it can be undone, which begins again with every further deletion, or when the page is
 * left.
 */
export class Deletions {
  /** Deleted since the page was opened, or to be deleted when the undo time is over. */
  readonly hidden = new Store<ReadonlySet<number>>(new Set());
  /** Those of `hidden` that others have deleted. */
  readonly byOthers = new Store<ReadonlySet<number>>(new Set());
  readonly #catalog: Pick<ImageCatalog, 'delete'>;
  readonly #images: Pick<CurrentImages, 'list'>;
  readonly #notices: Pick<Notices, 'show'>;
  /** The service does not have them any more. */
  readonly #gone = new Set<number>();
  /** The last one is the first that is undone. */
  #steps: readonly Step[] = [];
  #closeNotice: () => void = () => {};

  constructor(
    catalog: Pick<ImageCatalog, 'delete'>,
    images: Pick<CurrentImages, 'list'>,
    notices: Pick<Notices, 'show'>,
  ) {
    this.#catalog = catalog;
    this.#images = images;
    this.#notices = notices;
    // A view that is opened meanwhile does not show them either.
    images.list.subscribe(() => this.#hide([...this.hidden.get()]));
  }

  /** Hides the pictures at once and sends the requests when the undo time is over. */
  delete(ids: readonly number[], options: DeleteOptions = {}): void {
    const added = [...new Set(ids)].filter((id) => !this.hidden.get().has(id));
    if (added.length === 0) return;
    this.#steps = [...this.#steps, { ...options, ids: added }];
    this.hidden.update((hidden) => new Set([...hidden, ...added]));
    this.#hide(added);
    this.#showNotice();
  }

  /** The last deletion that can be undone; then the one before. */
  undo(): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#steps = this.#steps.slice(0, -1);
    const { length } = this.#show(step.ids);
    this.#notices.show(length === 0 ? texts.viewer.deleted : texts.deletion.undone(length));
    this.#showNotice();
    if (length > 0) step.onUndone?.();
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

  /** Pictures that can still be undone. */
  get pending(): number {
    return this.#steps.reduce((sum, { ids }) => sum + ids.length, 0);
  }

  /** Before the page is left: ends the undo time. */
  sendNow(): void {
    if (this.#steps.length === 0) return;
    this.#closeNotice();
    void this.#send({ keepalive: true });
  }

  /** For the step that `undo` would undo. */
  #showNotice(): void {
    this.#closeNotice();
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    this.#closeNotice = this.#notices.show(texts.deletion.deleted(step.ids.length), {
      action: { label: texts.deletion.undo, run: () => this.undo() },
      lifetimeMs: UNDO_MS,
      onExpired: () => void this.#send(),
    });
  }

  async #send({ keepalive = false } = {}): Promise<void> {
    const ids = this.#steps.flatMap((step) => step.ids);
    this.#steps = [];
    const failures = await this.#deleteAll(ids, keepalive);
    if (failures.length > 0) {
      this.#show(failures.map(({ id }) => id));
      this.#report(failures);
    }
    if (failures.length === ids.length) return;
    // What was deleted stays hidden in a list that cannot be refreshed now.
    await this.#images.list
      .get()
      ?.refresh()
      .catch(() => undefined);
  }

  async #deleteAll(ids: readonly number[], keepalive: boolean): Promise<readonly Failure[]> {
    const waiting = [...ids];
    const failures: Failure[] = [];
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const error = await this.#deleteOne(id, keepalive);
        if (error !== undefined) failures.push({ id, error });
      }
    };
    // A page that is left starts no request later.
    await Promise.all(Array.from({ length: keepalive ? ids.length : CONCURRENCY }, work));
    return failures;
  }

  /** @returns why it was refused */
  async #deleteOne(id: number, keepalive: boolean): Promise<unknown> {
    try {
      await this.#catalog.delete(id, { keepalive });
      return undefined;
    } catch (error) {
      return error instanceof CatalogError && error.code === 'image_not_found' ? undefined : error;
    }
  }

  /** One notice for each reason. */
  #report(failures: readonly Failure[]): void {
    const counts = new Map<string, number>();
    for (const { error } of failures) {
      const reason = deletionRefusal(error);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    for (const [reason, count] of counts) {
      this.#notices.show(texts.deletion.failed(count, reason), { tone: 'error', lifetimeMs: undefined });
    }
  }

  #hide(ids: readonly number[]): void {
    if (ids.length > 0) this.#images.list.get()?.hide(ids);
  }

  /** @returns those that are still there */
  #show(ids: readonly number[]): readonly number[] {
    const present = ids.filter((id) => !this.#gone.has(id));
    this.hidden.update((hidden) => new Set([...hidden].filter((id) => !present.includes(id))));
    this.#images.list.get()?.show(present);
    return present;
  }
}
