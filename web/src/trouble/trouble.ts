import { type CatalogError, retryDelayMs } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import { type Failure, failureOf, type Outage } from './failure.ts';
import { isOutage } from './is-outage.ts';

/** What the banner below the header shows. */
export interface ShownOutage extends Pick<Outage, 'kind' | 'requestId'> {
  /** Milliseconds since 1970; `undefined` while it is being tried, and while the device is offline. */
  readonly retryAt: number | undefined;
}

export type Refusal = Exclude<Failure, Outage>;

export interface ReportOptions {
  /** Called when the service can be reached again. It reports its next error in the same way. */
  readonly retry?: (() => unknown) | undefined;
}

export interface TroubleParts {
  readonly clock: Clock;
  readonly isOnline: () => boolean;
  /** Rejects with a `CatalogError` if the service cannot be reached. */
  readonly probe: () => Promise<unknown>;
  /** Shows what will not pass by itself. */
  readonly onRefusal: (refusal: Refusal) => void;
}

/** The client repeats a request by itself: what takes no longer is not worth a sentence. */
const QUIET_MS = 1000;

/** The client may cancel a request that is not needed any more: after its attempt and this time the service is asked. */
const ATTEMPT_MS = 10_000;

/** The client has repeated the request before: the delays begin at 2 s. */
const FIRST_ATTEMPT = 2;

/**
 * Errors of requests. An outage is shown until the next request succeeds, and what was waiting for its end is repeated then.
 */
export class Trouble {
  readonly outage = new Store<ShownOutage | undefined>(undefined);
  /** Rises when what has failed may work now: the service can be reached again, or the person asks for it. */
  readonly again = new Store(0);
  /** The files of the gallery have been replaced: only a reload helps. */
  readonly updated = new Store(false);
  /** The token names no space of the catalog: only another sign-in helps. */
  readonly spaceMissing = new Store(false);
  readonly #parts: TroubleParts;
  readonly #retries = new Set<() => unknown>();
  #attempt = FIRST_ATTEMPT;
  /** Not shown yet: a repetition of the request may succeed first. */
  #coming: ShownOutage | undefined;
  #cancelShow: (() => void) | undefined;
  #cancelRetry = noop;

  constructor(parts: TroubleParts) {
    this.#parts = parts;
  }

  /** For an error that is not handled elsewhere. */
  report(error: unknown, { retry }: ReportOptions = {}): void {
    const failure = failureOf(error, this.#parts.isOnline());
    if (failure === undefined) return;
    if (failure.kind === 'updated') {
      this.updated.set(true);
      return;
    }
    if (failure.kind === 'space_missing') {
      this.spaceMissing.set(true);
      return;
    }
    if (!isOutage(failure)) {
      this.#parts.onRefusal(failure);
      return;
    }
    if (retry !== undefined) this.#retries.add(retry);
    this.#retryLater(failure);
  }

  /** The client repeats a request by itself after `delayMs`. */
  retrying(error: CatalogError, delayMs: number): void {
    const failure = failureOf(error, this.#parts.isOnline());
    if (failure === undefined || !isOutage(failure)) return;
    this.#coming = this.#shownFor(failure, delayMs);
    if (this.outage.get() === undefined) this.#showLater();
    else this.#show();
    this.#cancelRetry();
    this.#cancelRetry = this.#parts.clock.after(delayMs + ATTEMPT_MS, () => this.retryNow());
  }

  /** A request was successful. */
  succeeded(): void {
    const wasAway = this.outage.get() !== undefined;
    this.#coming = undefined;
    this.#show();
    this.#cancelRetry();
    this.#attempt = FIRST_ATTEMPT;
    this.#repeat();
    if (wasAway) this.tryAgain();
  }

  readonly tryAgain = (): void => this.again.update((times) => times + 1);

  wentOffline(): void {
    this.#cancelRetry();
    this.#coming = { kind: 'offline', retryAt: undefined };
    this.#show();
  }

  /** At once: the person asks for it, or the device is online again. */
  retryNow(): void {
    const outage = this.outage.get();
    if (outage === undefined) return;
    this.#cancelRetry();
    this.outage.set({ ...outage, retryAt: undefined });
    if (this.#retries.size > 0) this.#repeat();
    else void this.#probe();
  }

  #showLater(): void {
    this.#cancelShow ??= this.#parts.clock.after(QUIET_MS, () => this.#show());
  }

  #show(): void {
    this.#cancelShow?.();
    this.#cancelShow = undefined;
    this.outage.set(this.#coming);
    this.#coming = undefined;
  }

  #retryLater(outage: Outage): void {
    if (outage.kind === 'offline') {
      this.wentOffline();
      return;
    }
    const delayMs = retryDelayMs(outage, this.#attempt);
    this.#attempt += 1;
    this.#coming = this.#shownFor(outage, delayMs);
    this.#show();
    this.#cancelRetry();
    this.#cancelRetry = this.#parts.clock.after(delayMs, () => this.retryNow());
  }

  #shownFor({ kind, requestId }: Outage, delayMs: number): ShownOutage {
    const shown = { kind, retryAt: this.#parts.clock.now() + delayMs };
    return requestId === undefined ? shown : { ...shown, requestId };
  }

  #repeat(): void {
    const retries = [...this.#retries];
    this.#retries.clear();
    for (const retry of retries) retry();
  }

  async #probe(): Promise<void> {
    try {
      await this.#parts.probe();
      this.succeeded();
    } catch (error) {
      this.report(error);
    }
  }
}

function noop(): void {}
