import { AdaptiveLimit, CatalogError, isRetryable, retryDelayMs } from '../../../client/src/node.ts';
import {
  ImportError,
  type ImportedImage,
  type ImportTarget,
  type ImportUpload,
} from '../../domain/ports/commands/import-target.ts';
import type { Cancellation } from '../../domain/ports/process/cancellation.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import { oneLine } from './one-line.ts';

export interface RetryOptions {
  /** Requests at a time at most. */
  readonly jobs: number;
  /** Without any success for this long, the target counts as unavailable. */
  readonly maxWaitMs: number;
  /** Rejects with the reason of the signal. */
  readonly wait: (ms: number, stopped: Cancellation) => Promise<void>;
  /** Whether waiting does not help, although the kind of the error is temporary. */
  readonly isFinal?: (error: CatalogError) => boolean;
  /** Called about once a minute while nothing succeeds. */
  readonly onWaiting?: (error: CatalogError, minutes: number) => void;
}

const MINUTE_MS = 60_000;

/** Repeats what the target refuses for the moment, and sends less at a time to a target that is busy. */
export class RetryingImportTarget implements ImportTarget {
  private readonly limit: AdaptiveLimit;
  /** Since when nothing has succeeded; `undefined` after a success. */
  private failingSince: Date | undefined;
  /** Of failing, that were told. */
  private minutes = 0;
  /** Why no call succeeds any more: the target stayed unavailable, or accepts nothing of this client. */
  verdict: CatalogError | undefined;

  /** @param target rejects with `CatalogError` of the client */
  constructor(
    private readonly target: ImportTarget,
    private readonly clock: Clock,
    private readonly options: RetryOptions,
  ) {
    this.limit = new AdaptiveLimit(options.jobs);
  }

  /** Requests at a time at present. */
  get concurrency(): number {
    return this.limit.current;
  }

  async lookUp(
    digests: readonly string[],
    stopped: Cancellation,
  ): Promise<ReadonlyMap<string, readonly number[]>> {
    return await this.repeat(() => this.target.lookUp(digests, stopped), stopped);
  }

  async upload(upload: ImportUpload, stopped: Cancellation): Promise<ImportedImage> {
    return await this.repeat(() => this.target.upload(upload, stopped), stopped);
  }

  private async repeat<T>(call: () => Promise<T>, stopped: Cancellation): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.limit.run(() => this.once(call, stopped));
      } catch (error) {
        if (!(error instanceof CatalogError)) throw error;
        if (!isTemporary(error) || this.isOver(error)) throw importError(error);
        this.tell(error);
        await this.options.wait(retryDelayMs(error, attempt, this.options.maxWaitMs), stopped);
      }
    }
  }

  private async once<T>(call: () => Promise<T>, stopped: Cancellation): Promise<T> {
    stopped.throwIfAborted();
    if (this.verdict !== undefined) throw this.verdict;
    const { round } = this.limit;
    try {
      const result = await call();
      this.failingSince = undefined;
      this.limit.succeeded();
      return result;
    } catch (error) {
      if (error instanceof CatalogError) this.note(error, round);
      throw error;
    }
  }

  private note(error: CatalogError, round: number): void {
    if (error.kind === 'busy') this.limit.refused(round);
    const isFinal = this.options.isFinal?.(error) ?? false;
    if (isFinal || error.kind === 'unauthorized' || error.kind === 'forbidden') this.verdict ??= error;
    // The target is there, and has judged the file.
    if (error.kind === 'refused') this.failingSince = undefined;
  }

  private isOver(error: CatalogError): boolean {
    if (this.verdict !== undefined) return true;
    if (this.waitedMs() < this.options.maxWaitMs) return false;
    if (error.kind !== 'key_in_use') this.verdict = error;
    return true;
  }

  private waitedMs(): number {
    const now = this.clock.now();
    this.failingSince ??= now;
    return now.getTime() - this.failingSince.getTime();
  }

  private tell(error: CatalogError): void {
    const minutes = Math.floor(this.waitedMs() / MINUTE_MS);
    if (minutes > this.minutes) this.options.onWaiting?.(error, minutes);
    this.minutes = minutes;
  }
}

/** An import also waits until a read-only state ends. */
function isTemporary(error: CatalogError): boolean {
  return error.kind === 'read_only' || isRetryable(error);
}

function importError(error: CatalogError): ImportError {
  const { message, code, kind } = error;
  return new ImportError(
    oneLine(message),
    { code: oneLine(code), isRefusal: kind === 'refused' },
    { cause: error },
  );
}
