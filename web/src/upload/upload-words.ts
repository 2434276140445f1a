import { FORMAT_NAMES, type InputFormat } from '../base/media-types.ts';
import { texts } from '../languages/texts.ts';
import type { Refusal, UploadState } from './upload-item.ts';
import type { Hold, UploadCounts, UploadSummary } from './upload-summary.ts';

/** The first line of the tray. */
export function headlineOf(summary: UploadSummary): string {
  const { waiting, reading, paused, counts } = summary;
  const total = totalOf(counts);
  if (reading && total === 0) return texts.upload.reading;
  if (waiting === 0) return totalsOf(summary);
  return paused ? texts.upload.paused(waiting) : texts.upload.underWay(total - waiting, total);
}

/** "97 uploaded, 1 already here, 2 refused" */
export function totalsOf({ counts }: UploadSummary): string {
  const kinds = ['uploaded', 'known', 'repeated', 'refused', 'failed', 'cancelled'] as const;
  const parts = kinds.flatMap((kind) => (counts[kind] === 0 ? [] : texts.upload[kind](counts[kind])));
  return parts.length === 0 ? texts.upload.nothing : texts.formats.list(parts);
}

/** `undefined` if nothing was skipped. */
export function skippedText(
  { skipped: { files, heic } }: UploadSummary,
  accepted: readonly InputFormat[],
): string | undefined {
  if (files === 0) return undefined;
  const skipped = texts.upload.skipped(files, namesOf(accepted));
  return heic === 0 ? `${skipped}.` : `${skipped}; ${texts.upload.skippedHeic(heic)}.`;
}

export function holdText({ kind, scope }: Hold): string {
  return kind === 'forbidden' ? texts.upload.forbidden(scope) : texts.upload.hold[kind];
}

/** For screen readers: the start, what stops the queue, and the result; not the progress. */
export function announcementOf(summary: UploadSummary, accepted: readonly InputFormat[]): string {
  const { waiting, reading, paused, hold, full, counts } = summary;
  if (waiting > 0 && hold !== undefined) return holdText(hold);
  if (reading) return texts.upload.reading;
  const total = totalOf(counts);
  if (waiting > 0) return paused ? texts.upload.row.paused : texts.upload.starting(total);
  if (total === 0) return skippedText(summary, accepted) ?? '';
  return full ? `${totalsOf(summary)}. ${texts.upload.full}` : totalsOf(summary);
}

export function rowText(state: UploadState, size: number, accepted: readonly InputFormat[]): string {
  switch (state.kind) {
    case 'waiting':
    case 'paused':
    case 'uploaded':
    case 'known':
    case 'cancelled':
      return texts.upload.row[state.kind];
    case 'hashing':
    case 'checking':
      return texts.upload.row.preparing;
    case 'uploading':
      if (state.sent >= size) return texts.upload.row.finishing;
      return texts.upload.row.sent(texts.formats.size(state.sent), texts.formats.size(size));
    case 'repeated':
      return texts.upload.row.repeated(state.first.name);
    case 'refused':
      return refusalOf(state.reason, accepted);
    case 'failed':
      return texts.upload.failure[state.reason];
  }
}

function refusalOf(reason: Refusal, accepted: readonly InputFormat[]): string {
  return reason === 'unsupported_media_type'
    ? texts.upload.accepted(namesOf(accepted))
    : texts.upload.refusal[reason];
}

function namesOf(formats: readonly InputFormat[]): string {
  return texts.formats.list(formats.map((format) => FORMAT_NAMES[format]));
}

export function totalOf(counts: UploadCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
