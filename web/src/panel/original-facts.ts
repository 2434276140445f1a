import type { ImageMetadata, ImageRecord } from '@image-catalog/client';
import { formatTaken } from '../catalog/format-taken.ts';
import { captureLines } from './capture-text.ts';
import { panelTexts } from './panel-texts.ts';

/** What the original tells beside the picture, as far as the catalog knows it: place, camera, time and name. */
export function originalFacts(
  { originalName }: Pick<ImageRecord, 'originalName'>,
  { capture }: Pick<ImageMetadata, 'capture'>,
): readonly string[] {
  const lines = new Map(captureLines(capture).map(({ kind, text }) => [kind, text]));
  const { takenAt } = capture;
  return [
    // Most services keep no places: the file may have one.
    lines.get('place') ?? panelTexts().perhapsPlace,
    lines.get('camera') ?? '',
    typeof takenAt === 'string' ? formatTaken(takenAt) : '',
    originalName,
  ].filter(Boolean);
}
