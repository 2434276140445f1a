import type { OverloadReason } from '../../domain/errors.ts';

export interface QueuedJob {
  /** The client, to which a share of the work is due. Empty for jobs of the service itself. */
  readonly subject: string;
}

/** At most `max` jobs with this label at a time. */
export interface Bound {
  readonly label: string;
  readonly max: number;
}

/** What one queue bounds, and which of its jobs is next. */
export interface QueuePolicy<Job> {
  /** Of refusals, for the log. */
  readonly reason: OverloadReason;

  /** On jobs that run, this one included. The labels of a job never change. */
  running(job: Job, othersWait: boolean): readonly Bound[];

  /** On jobs that wait. Beyond one, the latest request of the subject is refused. */
  waiting?(job: Job): readonly Bound[];

  /** Negative if `a` precedes `b`. Otherwise subjects take turns, as they do without it. */
  compare?(a: Job, b: Job): number;
}

/** The label of a bound on all jobs of a queue. */
export const ALL = 'all';
