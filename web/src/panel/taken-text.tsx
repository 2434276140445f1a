import type { ImageMetadata } from '@image-catalog/client';
import { formatTaken } from '../catalog/format-taken.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { panelTexts } from './panel-texts.ts';

/** The time, and who says so. */
export function TakenText({
  metadata: { takenAt, capture },
}: {
  readonly metadata: ImageMetadata;
}): React.JSX.Element {
  if (takenAt === null) return <span>{commonTexts().takenUnknown}</span>;
  const isByHand = takenAt !== capture['takenAt'];
  return (
    <>
      <span>{formatTaken(takenAt)}</span>
      <span className="panel-secondary">{isByHand ? panelTexts().byHand : panelTexts().byCamera}</span>
    </>
  );
}
