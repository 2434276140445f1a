import { syncDirectory } from './sync-directory.ts';

interface Rounds {
  readonly running: Promise<void>;
  /** Begins when the running one has ended, for all who have asked since that began. */
  next?: Promise<void>;
}

/** Syncs of folders, shared by those who ask for the same one at the same time. */
export class DirectorySyncs {
  private readonly rounds = new Map<string, Rounds>();

  /** Resolves once everything that was in the folder at the time of the call would survive a power cut. */
  async sync(path: string): Promise<void> {
    const rounds = this.rounds.get(path);
    if (rounds === undefined) return await this.begin(path);
    // The one under way may have begun too early for what this caller has changed.
    rounds.next ??= rounds.running.catch(() => undefined).then(() => this.begin(path));
    await rounds.next;
  }

  private async begin(path: string): Promise<void> {
    const running = syncDirectory(path);
    const rounds: Rounds = { running };
    this.rounds.set(path, rounds);
    try {
      await running;
    } finally {
      if (this.rounds.get(path) === rounds && rounds.next === undefined) this.rounds.delete(path);
    }
  }
}
