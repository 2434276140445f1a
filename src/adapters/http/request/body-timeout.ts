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
  readonly end: (error: RequestError) => void;
}

/** In the time of a stall timeout, which is 30 s unless a test says otherwise. */
const CHECKS_TO_STALL = 30;
const CHECKS_OF_RATE = 60;
const MIN_BYTES = 60_000;

/** Ends a body that has stopped coming, or that comes too slowly. */
export class BodyTimeout {
  /** Since the last judgement of the rate, as the checks. */
  private bytes = 0;
  private checks = 0;
  private silentChecks = 0;
  private hasMoved = false;
  private cancel = (): void => {};

  constructor(
    private readonly options: BodyTimeoutOptions,
    private readonly body: WatchedBody,
  ) {
    this.start();
  }

  add(bytes: number): void {
    this.bytes += bytes;
    this.hasMoved = true;
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
    // The bytes may have come at the begin of the time between two checks.
    this.silentChecks = this.hasMoved ? 1 : this.silentChecks + 1;
    this.hasMoved = false;
    if (this.silentChecks >= CHECKS_TO_STALL) this.end('The request body has stopped coming');
    else if (this.checks >= CHECKS_OF_RATE) this.judgeRate();
  }

  private judgeRate(): void {
    if (this.bytes < MIN_BYTES) this.end('The request body comes too slowly');
    this.bytes = 0;
    this.checks = 0;
  }

  private end(message: string): void {
    this.stop();
    this.body.end(new RequestError('request_timeout', message, { Connection: 'close' }));
  }
}
