import { texts } from '../texts.ts';
import type { UploadState } from './upload-item.ts';
import type { Hold, UploadCounts, UploadSummary } from './upload-summary.ts';

const words = texts.upload;

/** The first line of the tray. */
export function headlineOf(summary: UploadSummary): string {
  const { waiting, reading, paused, counts } = summary;
  const total = totalOf(counts);
  if (reading && total === 0) return words.reading;
  if (waiting === 0) return totalsOf(summary);
  return paused ? words.paused(waiting) : words.underWay(total - waiting, total);
}

/** "97 uploaded, 1 already here, 2 refused" */
export function totalsOf({ counts }: UploadSummary): string {
  const kinds = ['uploaded', 'known', 'repeated', 'refused', 'failed', 'cancelled'] as const;
  const parts = kinds.flatMap((kind) => (counts[kind] === 0 ? [] : words[kind](counts[kind])));
  return parts.length === 0 ? words.nothing : parts.join(', ');
}

/** `undefined` if nothing was skipped. */
export function skippedText({ skipped: { files, heic } }: UploadSummary): string | undefined {
  if (files === 0) return undefined;
  const skipped = words.skipped(files);
  return heic === 0 ? `${skipped}.` : `${skipped}; ${words.skippedHeic(heic)}.`;
}

export function holdText({ kind, scope }: Hold): string {
  return kind === 'forbidden' ? words.forbidden(scope) : words.hold[kind];
}

/** For screen readers: the start, what stops the queue, and the result; not the progress. */
export function announcementOf(summary: UploadSummary): string {
  const { waiting, reading, paused, hold, counts } = summary;
  if (waiting > 0 && hold !== undefined) return holdText(hold);
  if (reading) return words.reading;
  const total = totalOf(counts);
  if (waiting > 0) return paused ? words.row.paused : words.starting(total);
  return total === 0 ? (skippedText(summary) ?? '') : totalsOf(summary);
}

export function rowText(state: UploadState, size: number): string {
  switch (state.kind) {
    case 'waiting':
    case 'paused':
    case 'uploaded':
    case 'known':
    case 'cancelled':
      return words.row[state.kind];
    case 'hashing':
    case 'checking':
      return words.row.preparing;
    case 'uploading':
      if (state.sent >= size) return words.row.finishing;
      return words.row.sent(sizeText(state.sent), sizeText(size));
    case 'repeated':
      return words.row.repeated(state.first.name);
    case 'refused':
      return words.refusal[state.reason];
    case 'failed':
      return words.failure[state.reason];
  }
}

export function totalOf(counts: UploadCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

const megabytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

function sizeText(bytes: number): string {
  const mebibytes = bytes / 2 ** 20;
  return mebibytes < 1 ? `${Math.ceil(bytes / 1024)} KB` : `${megabytes.format(mebibytes)} MB`;
}
