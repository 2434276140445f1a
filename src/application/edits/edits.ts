import type { PortionPolicy, PortionQueue } from '../concurrency/portion-queue.ts';
import { ALL } from '../concurrency/queue-policy.ts';

/**
 * How long a change can exclude all others: a `bulk` edit for about a second, a `large` change, which can replace all texts of an image,
 * for an eighth of it, a `small` one of short texts for a few milliseconds.
 */
export type EditSize = 'small' | 'large' | 'bulk';

/** The changes of metadata, names and trash that clients ask for. They exclude each other in the database. */
export type Edits = PortionQueue<EditSize>;

const WEIGHTS: Readonly<Record<EditSize, number>> = { small: 1, large: 8, bulk: 32 };

/** The changes of one subject that are under way take together about as long as the largest single change. */
const MAX_OF_SUBJECT = WEIGHTS.bulk;
const MAX_OF_ALL = 4 * MAX_OF_SUBJECT;

/** Small changes run together, because the database commits those that arrive during a commit in one transaction. */
export const EDIT_POLICY: PortionPolicy<EditSize> = {
  reason: 'edits',
  // Otherwise small changes of a subject would pass its bulk edit again and again.
  inOrder: true,
  running: ({ subject, kind }) => [
    { label: ALL, max: MAX_OF_ALL, weight: WEIGHTS[kind] },
    { label: `subject ${subject}`, max: MAX_OF_SUBJECT, weight: WEIGHTS[kind] },
    // A waiting bulk edit would only hold a connection to the database.
    ...(kind === 'bulk' ? [{ label: 'bulk', max: 1 }] : []),
  ],
};
