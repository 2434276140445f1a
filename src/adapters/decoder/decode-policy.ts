import { halfOf } from '../../application/concurrency/half-of.ts';
import { ALL, type QueuedJob, type QueuePolicy } from '../../application/concurrency/queue-policy.ts';
import type { DecoderTime } from './decoder-time.ts';

/** In order of precedence. No client waits for a rendition `ahead` of requests. */
const KINDS = ['inspection', 'rendition', 'ahead'] as const;

export interface DecodeJobOwner extends QueuedJob {
  readonly kind: (typeof KINDS)[number];
  /** Of the file, in bytes, if it decides about the turn. */
  readonly fileBytes?: number;
}

/**
 * A decoder holds the whole file. Such files keep the cores busy: with the usual number of decoders, one more than cores, the last one
 * would only hold another file.
 */
const LARGE_FILE_BYTES = 1024 * 1024;

/** For machines of two cores whose decoders are no more. */
const MIN_FOR_LARGE_FILES = 2;

export interface DecodeLimits {
  /** At a time. One decoder is for inspections, if there are several. */
  readonly renditions: number;
  /** Renditions. One subject may have half as many. Uploads are bounded by their own slots. */
  readonly maxWaiting: number;
}

/**
 * Inspections come first, and of these the subject that has used the least decoder time. The last decoder is for inspections of
 * files that are not large, if there are more than two.
 */
export function decodePolicy(
  { renditions, maxWaiting }: DecodeLimits,
  slots: number,
  time: DecoderTime,
): QueuePolicy<DecodeJobOwner> {
  const allButLast = Math.max(1, slots - 1);
  return {
    reason: 'renditions',
    running: ({ kind, fileBytes = 0 }) => [
      { label: ALL, max: slots },
      kind === 'inspection'
        ? { label: kind, max: slots }
        : { label: 'rendition', max: Math.min(renditions, allButLast) },
      ...(fileBytes >= LARGE_FILE_BYTES
        ? [{ label: 'large file', max: Math.max(MIN_FOR_LARGE_FILES, allButLast) }]
        : []),
    ],
    waiting: ({ kind, subject }) =>
      kind === 'rendition'
        ? [
            { label: kind, max: maxWaiting },
            { label: `renditions of ${subject}`, max: halfOf(maxWaiting) },
          ]
        : [{ label: kind, max: Number.POSITIVE_INFINITY }],
    compare: (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || time.compare(a.subject, b.subject),
  };
}
