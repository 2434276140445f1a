import type { OverloadReason } from '../../domain/errors.ts';

export interface QueuedJob {
  /** The client, to which a share of the work is due. Empty for jobs of the service itself. */
  readonly subject: string;
}

/** The jobs that have this label at a time weigh at most `max` together. */
export interface Bound {
  readonly label: string;
  readonly max: number;
  /** What this job adds; by default 1. */
  readonly weight?: number;
}

/** What one queue bounds, and which of its jobs is next. */
export interface QueuePolicy<Job> {
  /** Says in the log which queue has refused a job. */
  readonly reason: OverloadReason;

  /** Bounds the jobs that run, this one included. The labels of a job never change. */
  running(job: Job, othersWait: boolean): readonly Bound[];

  /** Whether a job of a subject waits until all earlier ones of this subject have begun. */
  readonly inOrder?: boolean;

  /** Bounds the jobs that wait. Beyond a bound, the latest request of the subject is refused. */
  waiting?(job: Job): readonly Bound[];
}

/** The label of a bound on all jobs of a queue. */
export const ALL = 'all';
