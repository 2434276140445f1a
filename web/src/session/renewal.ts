import { retryDelayMs } from '@image-catalog/client';
import type { Clock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import type { SessionUser } from './saved-user.ts';
import { isTemporary } from './sign-in-problem.ts';

/** Requests wait for a provider that cannot be reached. */
export interface Waiting {
  /** Milliseconds since 1970; `undefined` while it is being tried. */
  readonly retryAt: number | undefined;
}

export interface RenewalParts {
  /** By refresh token. */
  readonly renew: () => Promise<SessionUser | undefined>;
  readonly onRenewed: (user: SessionUser) => void;
  readonly onEnded: () => void;
}

/** A renewal begins this long before the token is over, or when two thirds of its time are over. */
const LEAD_MS = 60_000;

/** Renews the token before it is over, one renewal at a time. Only a refusal of the provider ends the session. */
export class Renewal {
  readonly waiting = new Store<Waiting | undefined>(undefined);
  readonly #clock: Clock;
  readonly #parts: RenewalParts;
  #user: SessionUser | undefined;
  /** Milliseconds since 1970. */
  #dueAt = Number.POSITIVE_INFINITY;
  #running: Promise<SessionUser | undefined> | undefined;
  /** A request waits for the renewal that is under way. */
  #needed = false;
  /** Milliseconds since 1970; `undefined` unless the next attempt is being waited for. */
  #retryAt: number | undefined;
  #cancelTimer = noop;
  #continue = noop;

  constructor(clock: Clock, parts: RenewalParts) {
    this.#clock = clock;
    this.#parts = parts;
  }

  /** Renews this user's token from now on. */
  follow(user: SessionUser): void {
    this.#user = user;
    this.#cancelTimer();
    this.#dueAt = this.#clock.now() + untilDueMs(user);
    if (this.#dueAt === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#clock.after(this.#dueAt - this.#clock.now(), () => void this.#renew());
  }

  stop(): void {
    this.#user = undefined;
    this.#cancelTimer();
    this.#continue();
  }

  /** The token is over. Resolves to `undefined` when the session has ended. */
  async renewed(): Promise<SessionUser | undefined> {
    const renewal = this.#renew();
    this.#needed = true;
    if (this.#retryAt !== undefined) this.#showWaiting();
    return await renewal;
  }

  /** The device was asleep or offline, or the person does not want to wait. */
  readonly wake = (): void => {
    this.#continue();
    if (this.#clock.now() >= this.#dueAt) void this.#renew();
  };

  #renew(): Promise<SessionUser | undefined> {
    this.#running ??= this.#untilDone().finally(() => {
      this.#running = undefined;
      this.#needed = false;
      this.waiting.set(undefined);
    });
    return this.#running;
  }

  async #untilDone(): Promise<SessionUser | undefined> {
    for (let attempt = 0; this.#user?.refresh_token !== undefined; attempt += 1) {
      try {
        return this.#finish(await this.#parts.renew());
      } catch (error) {
        if (!isTemporary(error)) break;
        await this.#pause(retryDelayMs({}, attempt));
      }
    }
    return this.#finish(undefined);
  }

  #finish(renewed: SessionUser | undefined): SessionUser | undefined {
    // Signed out meanwhile.
    if (this.#user === undefined) return undefined;
    if (renewed === undefined) {
      this.stop();
      this.#parts.onEnded();
    } else {
      this.#parts.onRenewed(renewed);
    }
    return renewed;
  }

  async #pause(ms: number): Promise<void> {
    this.#retryAt = this.#clock.now() + ms;
    this.#showWaiting();
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#continue = () => {
        cancel();
        resolve();
      };
    });
    this.#continue = noop;
    this.#retryAt = undefined;
    this.#showWaiting();
  }

  /** Silent as long as the present token is good. */
  #showWaiting(): void {
    if (this.#needed) this.waiting.set({ retryAt: this.#retryAt });
  }
}

/** `Infinity` if the provider has not said how long the token is good. */
function untilDueMs({ expires_in, refresh_token }: SessionUser): number {
  if (expires_in === undefined) return Number.POSITIVE_INFINITY;
  const leftMs = Math.max(0, expires_in * 1000);
  // Without a refresh token the session ends with the token.
  return refresh_token === undefined ? leftMs : leftMs - Math.min(LEAD_MS, leftMs / 3);
}

function noop(): void {}
