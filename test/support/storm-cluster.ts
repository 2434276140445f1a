import type { ImageRecord } from './catalog-client.ts';
import type { NodeProcess, RunningService } from './service-process.ts';

/** Something that a storm kills. */
export interface Victim {
  readonly kind: 'service' | 'gateway' | 'database';
  /** Of a service. */
  readonly url?: string;
  /** Sends SIGKILL at once; resolves when it has ended. */
  readonly kill: () => Promise<void>;
}

/** What to count as steps until the kill: answers and, where no answer is ever sent, changes in a folder. */
export interface Progress {
  readonly folder?: string;
  readonly maxSteps: number;
}

/** What a storm rages in: services, what they keep the catalog in, and how clients reach them. */
export interface StormCluster {
  /** Those that run. */
  readonly services: readonly RunningService[];
  /** What clients ask, each one of these; with a trailing slash. */
  readonly entrances: readonly string[];
  /** How long clients may be told to come again when everything is there again, in ms. */
  readonly patienceMs: number;
  /** Ways to time a kill, besides by answers alone. */
  readonly progress: readonly Progress[];

  /** Starts what is to run in this round and does not; nothing is left staged by those that were killed. */
  bringUp(round: number): Promise<void>;

  /** What to kill next: of what runs, one at least. */
  chooseVictims(random: () => number): readonly Victim[];

  /** Whether those who ask there can notice that the victims are gone. */
  isAffected(entrance: string): boolean;

  /** Once the victims have ended: brings back what services stand on, and no service. */
  restoreStorage(): Promise<void>;

  /** The names of what is kept and belongs to none of these images. */
  leftovers(images: readonly ImageRecord[]): Promise<readonly string[]>;

  /** Uploads under way, or left by services that were killed. */
  stagedFiles(): Promise<number>;

  /** Runs `verify` on the catalog. */
  verify(): NodeProcess;

  /** Ends everything at once, and removes what is not the caller's. */
  destroy(): Promise<void>;
}

/** The UUID that begins the file name of an image, and names its blob. */
export function uuidOf({ filename }: ImageRecord): string {
  return filename.slice(0, 36);
}
