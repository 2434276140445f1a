import { type Clock, systemClock } from '../base/clock.ts';
import { Store } from '../base/store.ts';

/** A short sentence at the edge of the page, with at most one thing to do. */
export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: 'info' | 'error';
  readonly action: { readonly label: string; readonly run: () => void } | undefined;
}

export interface NoticeOptions {
  readonly tone?: Notice['tone'];
  /** Closes the notice and runs. */
  readonly action?: Notice['action'];
  /** Milliseconds; it stays until it is closed if this is `undefined`. The time stands still while the pointer or the focus is in the notices. */
  readonly lifetimeMs?: number | undefined;
  /** Its time was over or it was closed: neither its action nor the function that `show` returned removed it. */
  readonly onExpired?: () => void;
}

interface Lifetime {
  readonly onExpired: (() => void) | undefined;
  /** Milliseconds. */
  remaining: number | undefined;
  /** Milliseconds since 1970. */
  since: number;
  cancel: () => void;
}

const LIFETIME_MS = 6000;

export class Notices {
  readonly shown = new Store<readonly Notice[]>([]);
  readonly #clock: Clock;
  readonly #lifetimes = new Map<number, Lifetime>();
  #lastId = 0;
  #paused = false;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /**
   * Replaces a notice with the same text, unless that has an action.
   *
   * @returns a function that removes it
   */
  show(text: string, options: NoticeOptions = {}): () => void {
    const { tone = 'info', action, onExpired } = options;
    const remaining = 'lifetimeMs' in options ? options.lifetimeMs : LIFETIME_MS;
    this.#removeTwin(text);
    this.#lastId += 1;
    const id = this.#lastId;
    this.shown.update((notices) => [...notices, { id, text, tone, action }]);
    this.#lifetimes.set(id, { onExpired, remaining, since: 0, cancel: noop });
    if (!this.#paused) this.#run(id);
    return () => this.#remove(id);
  }

  /** Ends it as if its time were over. */
  close(id: number): void {
    const lifetime = this.#lifetimes.get(id);
    this.#remove(id);
    lifetime?.onExpired?.();
  }

  act(id: number): void {
    const notice = this.shown.get().find((shown) => shown.id === id);
    this.#remove(id);
    notice?.action?.run();
  }

  /** The time of all notices stands still. */
  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    for (const lifetime of this.#lifetimes.values()) {
      lifetime.cancel();
      // The clock of the device may have been set back.
      const passed = Math.max(0, this.#clock.now() - lifetime.since);
      if (lifetime.remaining !== undefined) lifetime.remaining -= passed;
    }
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    for (const id of this.#lifetimes.keys()) this.#run(id);
  }

  #run(id: number): void {
    const lifetime = this.#lifetimes.get(id);
    if (lifetime?.remaining === undefined) return;
    lifetime.since = this.#clock.now();
    lifetime.cancel = this.#clock.after(lifetime.remaining, () => this.close(id));
  }

  #removeTwin(text: string): void {
    const twin = this.shown.get().find((notice) => notice.text === text && notice.action === undefined);
    if (twin !== undefined) this.#remove(twin.id);
  }

  #remove(id: number): void {
    this.#lifetimes.get(id)?.cancel();
    this.#lifetimes.delete(id);
    this.shown.update((notices) =>
      notices.some((notice) => notice.id === id) ? notices.filter((notice) => notice.id !== id) : notices,
    );
  }
}

function noop(): void {}
