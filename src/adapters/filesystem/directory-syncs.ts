import { syncPath } from './sync-path.ts';

interface Rounds {
  readonly running: Promise<void>;
  /** Begins when the running one has ended. */
  next?: Promise<void>;
}

/** Shares syncs of a folder. Unlike `SingleFlight`, a caller never joins a sync that runs already. */
export class DirectorySyncs {
  private readonly rounds = new Map<string, Rounds>();

  /** All entries at the time of the call survive a power cut. */
  async sync(path: string): Promise<void> {
    const rounds = this.rounds.get(path);
    if (rounds === undefined) return await this.begin(path);
    // The running sync may have begun before the change of this caller.
    rounds.next ??= rounds.running.catch(() => undefined).then(() => this.begin(path));
    await rounds.next;
  }

  private async begin(path: string): Promise<void> {
    const running = syncPath(path);
    const rounds: Rounds = { running };
    this.rounds.set(path, rounds);
    try {
      await running;
    } finally {
      if (this.rounds.get(path) === rounds && rounds.next === undefined) this.rounds.delete(path);
    }
  }
}
