import type { ImageRecord } from '../http/catalog-client.ts';
import type { NodeProcess, RunningService } from '../servers/service-process.ts';

/** A process that a storm kills. */
export interface Victim {
  readonly kind: 'service' | 'gateway' | 'database';
  /** Of a service. */
  readonly url?: string;
  /** Sends SIGKILL at once; resolves when it has ended. */
  readonly kill: () => Promise<void>;
}

/** What to count as steps until the kill: responses or, if none are sent, changes in a folder. */
export interface Progress {
  readonly folder?: string;
  readonly maxSteps: number;
}

/** The services of a storm, their storage, and the addresses for clients. */
export interface StormCluster {
  /** The running services. */
  readonly services: readonly RunningService[];
  /** The addresses for clients, with a trailing slash. */
  readonly entrances: readonly string[];
  /** How long responses may ask clients to retry after everything is available again, in ms. */
  readonly patienceMs: number;
  /** Ways to time a kill, besides by responses only. */
  readonly progress: readonly Progress[];

  /** Starts the missing services of this round, which also removes the staged files of killed ones. */
  bringUp(round: number): Promise<void>;

  /** The next processes to kill: at least one of the running ones. */
  chooseVictims(random: () => number): readonly Victim[];

  /** Whether clients of that address can notice the end of the victims. */
  isAffected(entrance: string): boolean;

  /** Call it after the victims have ended: starts the storage again, but no service. */
  restoreStorage(): Promise<void>;

  /** The names of stored files and objects that belong to none of these images. */
  leftovers(images: readonly ImageRecord[]): Promise<readonly string[]>;

  /** Those of these images whose blob is not there. */
  withoutBytes(images: readonly ImageRecord[]): Promise<readonly ImageRecord[]>;

  /** Staged files of unfinished uploads and of killed services. */
  stagedFiles(): Promise<number>;

  /** Runs a command on the catalog. */
  run(args: readonly string[]): NodeProcess;

  /** Ends all processes at once, and removes their data except that of the caller. */
  destroy(): Promise<void>;
}

/** The UUID that begins the file name of an image, and names its blob. */
export function uuidOf({ filename }: ImageRecord): string {
  return filename.slice(0, 36);
}
