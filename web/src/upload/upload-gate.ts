import { AdaptiveLimit, retryDelayMs } from '@image-catalog/client';
import { type HoldKind, type HoldVerdict, verdictOf } from './upload-error.ts';
import type { UploadPorts } from './upload-ports.ts';
import type { Hold } from './upload-summary.ts';

const MAX_SLOTS = 3;
/** The service does not know when an operator ends the read-only state. */
const READ_ONLY_DELAY_MS = 30_000;

type GatePorts = Pick<UploadPorts, 'catalog' | 'clock' | 'online' | 'session'>;

/** What stops the queue, and when it goes on. */
interface Stop {
  readonly kind: HoldKind;
  readonly scope: string | undefined;
  readonly requestId: string | undefined;
  /** One request may find out whether the reason is still there. */
  readonly trial: boolean;
}

/** Says how many requests may be under way: none while the service, the network or the session is not there. */
export class UploadGate {
  readonly #ports: GatePorts;
  readonly #onChange: () => void;
  readonly #limit = new AdaptiveLimit(MAX_SLOTS);
  #stop: Stop | undefined;
  /** Stops since the last success. */
  #misses = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(ports: GatePorts, onChange: () => void) {
    this.#ports = ports;
    this.#onChange = onChange;
    ports.online.subscribe(() => this.#followNetwork());
    ports.session.subscribe(() => this.#followSession());
  }

  get slots(): number {
    if (!this.#ports.online.get() || !this.#isSignedIn()) return 0;
    if (this.#stop === undefined) return this.#limit.current;
    return this.#stop.trial ? 1 : 0;
  }

  get hold(): Hold | undefined {
    if (!this.#ports.online.get()) return { kind: 'offline', retries: true };
    if (!this.#isSignedIn()) return { kind: 'signed-out', retries: true };
    if (this.#stop === undefined) return undefined;
    const { kind, scope, requestId } = this.#stop;
    return { kind, scope, requestId, retries: !waitsForUser(kind) };
  }

  stop({ hold: kind, afterMs, scope, requestId }: HoldVerdict): void {
    // Requests that were under way together fail together.
    if (this.#stop?.kind === kind && this.#cancelTimer !== undefined) return;
    this.#clearTimer();
    this.#stop = { kind, scope, requestId, trial: false };
    if (isBusy(kind)) this.#limit.refused(this.#limit.round);
    const delay = this.#delayOf(kind, afterMs);
    this.#misses += 1;
    if (delay !== undefined) this.#cancelTimer = this.#ports.clock.after(delay, () => this.tryNow());
    this.#onChange();
  }

  /** A request got its response. A lookup does not show that the service takes uploads. */
  succeed(request: 'upload' | 'lookup'): void {
    const stop = this.#stop;
    if (request === 'lookup' && stop !== undefined && !isUnreachable(stop.kind)) return;
    // One that was sent before the service was busy.
    if (stop !== undefined && isBusy(stop.kind) && !stop.trial) return;
    this.#misses = 0;
    this.#limit.succeeded();
    if (stop !== undefined) this.#release();
  }

  tryNow(): void {
    this.#clearTimer();
    if (this.#stop === undefined) return;
    if (isUnreachable(this.#stop.kind)) void this.#probe(this.#stop);
    else this.#change({ ...this.#stop, trial: true });
  }

  /** A failed upload says nothing about the next one: a small request does. */
  async #probe(stop: Stop): Promise<void> {
    try {
      await this.#ports.catalog.probe();
    } catch (error) {
      if (this.#stop !== stop) return;
      const verdict = verdictOf(error);
      // A service that refuses the request can be reached.
      if (verdict.kind === 'hold' && verdict.hold !== 'forbidden') {
        this.stop(verdict);
        return;
      }
    }
    if (this.#stop === stop) this.#release();
  }

  #followNetwork(): void {
    if (this.#ports.online.get() && this.#stop !== undefined && isUnreachable(this.#stop.kind)) this.tryNow();
    this.#onChange();
  }

  #followSession(): void {
    if (this.#isSignedIn() && this.#stop !== undefined && waitsForUser(this.#stop.kind)) this.#release();
    else this.#onChange();
  }

  #isSignedIn(): boolean {
    return this.#ports.session.get().kind === 'signed-in';
  }

  #delayOf(kind: HoldKind, afterMs: number | undefined): number | undefined {
    if (waitsForUser(kind)) return undefined;
    if (kind === 'read_only') return Math.max(afterMs ?? 0, READ_ONLY_DELAY_MS);
    return retryDelayMs({ retryAfterMs: afterMs }, this.#misses);
  }

  #release(): void {
    this.#clearTimer();
    this.#change(undefined);
  }

  #change(stop: Stop | undefined): void {
    this.#stop = stop;
    this.#onChange();
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

function isBusy(kind: HoldKind): boolean {
  return kind === 'busy' || kind === 'storage';
}

function isUnreachable(kind: HoldKind): boolean {
  return kind === 'unreachable' || kind === 'provider-unreachable';
}

/** Another sign-in may help. */
function waitsForUser(kind: HoldKind): boolean {
  return kind === 'forbidden' || kind === 'signed-out' || kind === 'unauthorized';
}
