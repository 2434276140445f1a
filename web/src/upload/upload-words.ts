import { FORMAT_NAMES, type InputFormat } from '../base/media-types.ts';
import { formats } from '../languages/formats.ts';
import type { Refusal, UploadState } from './upload-item.ts';
import type { Hold, UploadCounts, UploadSummary } from './upload-summary.ts';
import { uploadTexts } from './upload-texts.ts';

/** The first line of the tray. */
export function headlineOf(summary: UploadSummary): string {
  const { waiting, reading, paused, counts } = summary;
  const total = totalOf(counts);
  if (reading && total === 0) return uploadTexts().reading;
  if (waiting === 0) return totalsOf(summary);
  return paused ? uploadTexts().paused(waiting) : uploadTexts().underWay(total - waiting, total);
}

/** "97 uploaded, 1 already here, 2 refused" */
export function totalsOf({ counts }: UploadSummary): string {
  const kinds = ['uploaded', 'known', 'repeated', 'refused', 'failed', 'cancelled'] as const;
  const parts = kinds.flatMap((kind) => (counts[kind] === 0 ? [] : uploadTexts()[kind](counts[kind])));
  return parts.length === 0 ? uploadTexts().nothing : formats().list(parts);
}

/** `undefined` if nothing was skipped. */
export function skippedText(
  { skipped: { files, heic, system } }: UploadSummary,
  accepted: readonly InputFormat[],
): string | undefined {
  if (files === 0) return undefined;
  const others = files - system;
  const sentences = [
    [
      ...(others === 0 ? [] : [uploadTexts().skipped(others, namesOf(accepted))]),
      ...(heic === 0 ? [] : [uploadTexts().skippedHeic(heic)]),
    ].join('; '),
    system === 0 ? '' : uploadTexts().skippedSystem(system),
  ];
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

export function holdText({ kind, scope, requestId }: Hold): string {
  if (kind === 'storage') return uploadTexts().storage(requestId);
  return kind === 'forbidden' ? uploadTexts().forbidden(scope) : uploadTexts().hold[kind];
}

/** For screen readers: the start, what stops the queue, and the result; not the progress. */
export function announcementOf(summary: UploadSummary, accepted: readonly InputFormat[]): string {
  const { waiting, reading, paused, hold, full, counts } = summary;
  if (waiting > 0 && hold !== undefined) return holdText(hold);
  if (reading) return uploadTexts().reading;
  const total = totalOf(counts);
  if (waiting > 0) return paused ? uploadTexts().row.paused : uploadTexts().starting(total);
  if (total === 0) return skippedText(summary, accepted) ?? '';
  return full ? `${totalsOf(summary)}. ${uploadTexts().full}` : totalsOf(summary);
}

export function rowText(state: UploadState, size: number, accepted: readonly InputFormat[]): string {
  switch (state.kind) {
    case 'waiting':
    case 'paused':
    case 'uploaded':
    case 'known':
    case 'cancelled':
      return uploadTexts().row[state.kind];
    case 'hashing':
    case 'checking':
      return uploadTexts().row.preparing;
    case 'uploading':
      if (state.sent >= size) return uploadTexts().row.finishing;
      return uploadTexts().row.sent(formats().size(state.sent), formats().size(size));
    case 'repeated':
      return uploadTexts().row.repeated(state.first.name);
    case 'refused':
      return refusalOf(state, accepted);
    case 'failed':
      return uploadTexts().failure[state.reason];
  }
}

function refusalOf(refusal: Refusal, accepted: readonly InputFormat[]): string {
  switch (refusal.reason) {
    case 'unsupported_media_type':
      return uploadTexts().accepted(namesOf(accepted));
    case 'too_many_pixels':
      return uploadTexts().tooManyPixels(refusal.pixels, refusal.allowed);
    default:
      return uploadTexts().refusal[refusal.reason];
  }
}

function namesOf(accepted: readonly InputFormat[]): string {
  return formats().list(accepted.map((format) => FORMAT_NAMES[format]));
}

export function totalOf(counts: UploadCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
