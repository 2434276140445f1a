import { expect } from 'chai';
import type { UploadKind } from '../../../web/src/upload/upload-item.ts';
import { EMPTY_SUMMARY, NO_COUNTS, type UploadSummary } from '../../../web/src/upload/upload-summary.ts';
import {
  announcementOf,
  headlineOf,
  holdText,
  rowText,
  skippedText,
} from '../../../web/src/upload/upload-words.ts';

const ACCEPTED = ['jpeg', 'png'] as const;

describe('the words of the uploads', () => {
  it('are the totals when all files are finished', () => {
    expect(headlineOf(summaryOf({ uploaded: 97, known: 1, refused: 2 }))).to.equal(
      '97 uploaded, 1 already here, 2 refused',
    );
  });

  it('are the number of finished files while some are under way', () => {
    expect(headlineOf(summaryOf({ uploaded: 3, uploading: 2, waiting: 5 }, { waiting: 7 }))).to.equal(
      'Uploading: 3 of 10 done',
    );
    expect(headlineOf(summaryOf({ uploaded: 3, waiting: 7 }, { waiting: 7, paused: true }))).to.equal(
      'Paused, 7 left',
    );
  });

  it('say what the catalog takes', () => {
    const state = { kind: 'refused', reason: 'unsupported_media_type' } as const;
    expect(rowText(state, 1, ['jpeg', 'webp'])).to.equal('The catalog takes JPEG, WebP.');
  });

  it('say what was skipped, and what to do about HEIC pictures', () => {
    expect(skippedText(EMPTY_SUMMARY, ACCEPTED)).to.equal(undefined);
    expect(skippedText({ ...EMPTY_SUMMARY, skipped: { files: 1, heic: 0, system: 0 } }, ACCEPTED)).to.equal(
      '1 file skipped: not JPEG, PNG.',
    );
    expect(skippedText({ ...EMPTY_SUMMARY, skipped: { files: 5, heic: 2, system: 0 } }, ACCEPTED)).to.equal(
      '5 files skipped: not JPEG, PNG; 2 are HEIC pictures: export as JPEG.',
    );
    const system = '1 file or folder skipped that a system keeps: thumbnails, deleted files.';
    expect(skippedText({ ...EMPTY_SUMMARY, skipped: { files: 1, heic: 0, system: 1 } }, ACCEPTED)).to.equal(
      system,
    );
    expect(skippedText({ ...EMPTY_SUMMARY, skipped: { files: 2, heic: 0, system: 1 } }, ACCEPTED)).to.equal(
      `1 file skipped: not JPEG, PNG. ${system}`,
    );
  });

  it('name the scope that is missing', () => {
    expect(holdText({ kind: 'forbidden', scope: 'images:write', retries: false })).to.match(
      /scope images:write/,
    );
  });

  it('give the bytes of a file, and say when they are all sent', () => {
    const size = 12_000_000;
    expect(rowText({ kind: 'uploading', sent: 3_400_000 }, size, ACCEPTED)).to.equal('3.4 MB of 12.0 MB');
    expect(rowText({ kind: 'uploading', sent: 2000 }, 10_000, ACCEPTED)).to.equal('2.0 kB of 10.0 kB');
    expect(rowText({ kind: 'uploading', sent: size }, size, ACCEPTED)).to.equal('Being checked…');
  });

  it('for screen readers do not change with the progress', () => {
    const early = announcementOf(summaryOf({ uploading: 10 }, { waiting: 10, progress: 0.1 }), ACCEPTED);
    const later = announcementOf(
      summaryOf({ uploading: 3, uploaded: 7 }, { waiting: 3, progress: 0.7 }),
      ACCEPTED,
    );

    expect(early).to.equal('Uploading 10 files');
    expect(later).to.equal(early);
    expect(announcementOf(summaryOf({ uploaded: 10 }), ACCEPTED)).to.equal('10 uploaded');
  });

  it('for screen readers say that the space is full', () => {
    const full = summaryOf({ uploaded: 1, failed: 2 }, { full: true });

    expect(announcementOf(full, ACCEPTED)).to.equal(
      '1 uploaded, 2 failed. The space is full. Delete pictures (those in the trash count, too) or ask the operator for more room, then try again.',
    );
  });

  it('say that the storage is full, and what the operator needs to know', () => {
    const held = summaryOf(
      { waiting: 3 },
      { waiting: 3, hold: { kind: 'storage', requestId: 'r1', retries: true } },
    );

    expect(announcementOf(held, ACCEPTED)).to.match(
      /cannot store pictures .* storage_unavailable, request r1\.$/,
    );
  });

  it('for screen readers say what stops the queue', () => {
    const held = summaryOf({ waiting: 3 }, { waiting: 3, hold: { kind: 'busy', retries: true } });

    expect(announcementOf(held, ACCEPTED)).to.equal('The catalog is busy. Uploads continue by themselves.');
  });
});

function summaryOf(
  counts: Partial<Record<UploadKind, number>>,
  facts: Partial<UploadSummary> = {},
): UploadSummary {
  return { ...EMPTY_SUMMARY, ...facts, counts: { ...NO_COUNTS, ...counts } };
}
