import type { IdempotencyClaim } from '../../domain/ports/idempotency-keys.ts';

const AGAIN_AFTER_MS = 500;
/** Bounds memory while the database is away; a claim beyond that is taken over when it is too old. */
const MAX_OWED = 1_000;

/**
 * Claims that nobody uses any more, and that the database could not be told of: it is told when it is there again. Until then
 * others find the key held by a process that is alive.
 */
export class OwedReleases {
  private readonly owed = new Map<string, IdempotencyClaim>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly release: (claim: IdempotencyClaim) => Promise<void>) {}

  add(claim: IdempotencyClaim): void {
    if (this.owed.size < MAX_OWED) this.owed.set(claim.token, claim);
    this.schedule();
  }

  /** A process that ends does not wait for it: its claims are free when it is gone. */
  private schedule(): void {
    if (this.owed.size > 0) this.timer ??= setTimeout(() => void this.releaseAll(), AGAIN_AFTER_MS).unref();
  }

  private async releaseAll(): Promise<void> {
    try {
      for (const [token, claim] of this.owed) {
        await this.release(claim);
        this.owed.delete(token);
      }
    } catch {
      // Still away: whoever asked for the first release has been told so.
    }
    this.timer = undefined;
    this.schedule();
  }
}
