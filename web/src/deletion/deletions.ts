import { CatalogError, type ImageCatalog } from '@image-catalog/client';
import type { CurrentImages } from '../images/current-images.ts';
import type { Notices } from '../notices/notices.ts';
import { Store } from '../store.ts';
import { texts } from '../texts.ts';

/** How long a deletion can be undone. */
const UNDO_MS = 8000;

/** Requests under way at a time. */
const CONCURRENCY = 4;

export interface DeleteOptions {
  /** Called if the deletion is undone. */
  readonly onUndone?: () => void;
}

/** @returns a function that stops the timer */
export type StartTimer = (ms: number, onEnd: () => void) => () => void;

/** The pictures of one call of `delete`, as long as they can be undone. */
interface Step extends DeleteOptions {
  readonly ids: readonly number[];
  stopTimer: () => void;
}

interface Failure {
  readonly id: number;
  readonly error: unknown;
}

/** Deletes after a time in which it can be undone. A page that is left before that deletes nothing. */
export class Deletions {
  /** Deleted since the page was opened, or to be deleted when the undo time is over. */
  readonly hidden = new Store<ReadonlySet<number>>(new Set());
  readonly #catalog: Pick<ImageCatalog, 'delete'>;
  readonly #images: Pick<CurrentImages, 'list'>;
  readonly #notices: Pick<Notices, 'show'>;
  readonly #startTimer: StartTimer;
  /** The last one is the first that is undone. */
  #steps: readonly Step[] = [];
  #closeNotice: () => void = () => {};

  constructor(
    catalog: Pick<ImageCatalog, 'delete'>,
    images: Pick<CurrentImages, 'list'>,
    notices: Pick<Notices, 'show'>,
    startTimer: StartTimer = startBrowserTimer,
  ) {
    this.#catalog = catalog;
    this.#images = images;
    this.#notices = notices;
    this.#startTimer = startTimer;
    // A view that is opened meanwhile does not show them either.
    images.list.subscribe(() => this.#hide([...this.hidden.get()]));
  }

  /** Hides the pictures at once and sends the requests when the undo time is over. */
  delete(ids: readonly number[], options: DeleteOptions = {}): void {
    const added = [...new Set(ids)].filter((id) => !this.hidden.get().has(id));
    if (added.length === 0) return;
    const step: Step = { ...options, ids: added, stopTimer: () => {} };
    step.stopTimer = this.#startTimer(UNDO_MS, () => void this.#send(step));
    this.#steps = [...this.#steps, step];
    this.hidden.update((hidden) => new Set([...hidden, ...added]));
    this.#hide(added);
    this.#showNotice();
  }

  /** The last deletion that can be undone. */
  undo(): void {
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    step.stopTimer();
    this.#remove(step);
    this.#show(step.ids);
    this.#notices.show(texts.deletion.undone(step.ids.length));
    step.onUndone?.();
  }

  /** Before the page is left, which may come back from the cache of the browser. */
  undoAll(): void {
    while (this.#steps.length > 0) this.undo();
  }

  async #send(step: Step): Promise<void> {
    this.#remove(step);
    const failures = await this.#deleteAll(step.ids);
    const failed = new Set(failures.map(({ id }) => id));
    if (failed.size > 0) {
      this.#show([...failed]);
      this.#report(failures);
    }
    if (failed.size === step.ids.length) return;
    // What was deleted stays hidden in a list that cannot be refreshed now.
    await this.#images.list
      .get()
      ?.refresh()
      .catch(() => undefined);
  }

  async #deleteAll(ids: readonly number[]): Promise<readonly Failure[]> {
    const waiting = [...ids];
    const failures: Failure[] = [];
    const work = async (): Promise<void> => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const error = await this.#deleteOne(id);
        if (error !== undefined) failures.push({ id, error });
      }
    };
    await Promise.all(Array.from({ length: Math.min(CONCURRENCY, ids.length) }, work));
    return failures;
  }

  /** @returns why it was refused */
  async #deleteOne(id: number): Promise<unknown> {
    try {
      await this.#catalog.delete(id);
      return undefined;
    } catch (error) {
      return error instanceof CatalogError && error.status === 404 ? undefined : error;
    }
  }

  /** One notice for each reason. */
  #report(failures: readonly Failure[]): void {
    const counts = new Map<string, number>();
    for (const { error } of failures) {
      const reason = error instanceof Error ? error.message : String(error);
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
    for (const [reason, count] of counts) {
      this.#notices.show(texts.deletion.failed(count, reason), { tone: 'error', lifetimeMs: undefined });
    }
  }

  /** For the step that `undo` would undo. */
  #showNotice(): void {
    this.#closeNotice();
    const step = this.#steps.at(-1);
    if (step === undefined) return;
    const action = { label: texts.deletion.undo, run: () => this.undo() };
    const text = texts.deletion.deleted(step.ids.length);
    this.#closeNotice = this.#notices.show(text, { action, lifetimeMs: undefined });
  }

  #remove(step: Step): void {
    this.#steps = this.#steps.filter((other) => other !== step);
    this.#showNotice();
  }

  #hide(ids: readonly number[]): void {
    if (ids.length > 0) this.#images.list.get()?.hide(ids);
  }

  #show(ids: readonly number[]): void {
    this.hidden.update((hidden) => new Set([...hidden].filter((id) => !ids.includes(id))));
    this.#images.list.get()?.show(ids);
  }
}

function startBrowserTimer(ms: number, onEnd: () => void): () => void {
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
}
