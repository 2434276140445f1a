import type { IdempotencyClaim } from '../../../domain/ports/records/idempotency-keys.ts';

const RETRY_AFTER_MS = 500;
/** Bounds memory while the database is unavailable. */
const MAX_PENDING = 1_000;

/** Until a retry succeeds, other uploads find the key in use. */
export class ReleaseRetryQueue {
  private readonly pending = new Map<string, IdempotencyClaim>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly release: (claim: IdempotencyClaim) => Promise<void>) {}

  add(claim: IdempotencyClaim): void {
    if (this.pending.size < MAX_PENDING) this.pending.set(claim.token, claim);
    this.schedule();
  }

  /** Does not keep the process alive: the claims of an ended process are free. */
  private schedule(): void {
    if (this.pending.size > 0) {
      this.timer ??= setTimeout(() => void this.releaseAll(), RETRY_AFTER_MS).unref();
    }
  }

  private async releaseAll(): Promise<void> {
    try {
      for (const [token, claim] of this.pending) {
        await this.release(claim);
        this.pending.delete(token);
      }
    } catch {
      // Still unavailable. The caller of the first release got the error.
    }
    this.timer = undefined;
    this.schedule();
  }
}
