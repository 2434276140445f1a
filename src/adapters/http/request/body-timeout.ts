import type { Timer } from '../../../domain/ports/process/timer.ts';
import { RequestError } from '../errors/request-error.ts';

export interface BodyTimeoutOptions {
  readonly timer: Timer;
  /** How long a body may stand still, in milliseconds. The minimum rate is judged over twice this time. */
  readonly stallTimeoutMs: number;
}

export interface WatchedBody {
  /** Whether the service reads. Time in which it does not counts for nothing: the service is slow, not the client. */
  readonly isReady: () => boolean;
  readonly end: (error: BodyTimedOut) => void;
}

/** In the time of a stall timeout, which is 30 s unless a test says otherwise. */
const CHECKS_TO_STALL = 30;
const CHECKS_OF_RATE = 60;
const CHECKS_OF_RECENT = 10;
const MIN_BYTES = 60_000;

const MESSAGES = {
  stalled: 'The request body has stopped coming',
  slow: 'The request body comes too slowly',
  slot_taken: 'All upload slots were taken, and this upload was the slowest of the client with the most',
} as const;

/** Why a body was ended. */
type BodyEnd = keyof typeof MESSAGES;

export class BodyTimedOut extends RequestError {
  /** @param reason for the log and the metrics */
  constructor(readonly reason: BodyEnd) {
    super('request_timeout', MESSAGES[reason], { Connection: 'close' });
  }
}

/** Ends a body that has stopped coming, or that comes too slowly. */
export class BodyTimeout {
  /** Since the last judgement of the rate, as the checks. */
  private bytes = 0;
  private checks = 0;
  private silentChecks = 0;
  private hasMoved = false;
  /** In each of the last checks, and since the last one. */
  private recent = [0];
  private cancel = (): void => {};

  constructor(
    private readonly options: BodyTimeoutOptions,
    private readonly body: WatchedBody,
  ) {
    this.start();
  }

  add(bytes: number): void {
    this.bytes += bytes;
    this.recent[this.recent.length - 1] = (this.recent.at(-1) ?? 0) + bytes;
    this.hasMoved = true;
  }

  /** Of the last ten seconds in which the service was ready to read. `undefined` if there were fewer, or if it is not ready now. */
  get recentBytes(): number | undefined {
    if (this.recent.length <= CHECKS_OF_RECENT || !this.body.isReady()) return undefined;
    return this.recent.reduce((sum, bytes) => sum + bytes, 0);
  }

  stop(): void {
    this.cancel();
  }

  private start(): void {
    this.cancel = this.options.timer(this.options.stallTimeoutMs / CHECKS_TO_STALL, () => this.check());
  }

  private check(): void {
    this.start();
    if (!this.body.isReady()) return;
    this.checks += 1;
    this.recent = [...this.recent.slice(-CHECKS_OF_RECENT), 0];
    // The bytes may have come at the begin of the time between two checks.
    this.silentChecks = this.hasMoved ? 1 : this.silentChecks + 1;
    this.hasMoved = false;
    if (this.silentChecks >= CHECKS_TO_STALL) this.end('stalled');
    else if (this.checks >= CHECKS_OF_RATE) this.judgeRate();
  }

  private judgeRate(): void {
    if (this.bytes < MIN_BYTES) this.end('slow');
    this.bytes = 0;
    this.checks = 0;
  }

  private end(reason: BodyEnd): void {
    this.stop();
    this.body.end(new BodyTimedOut(reason));
  }
}
