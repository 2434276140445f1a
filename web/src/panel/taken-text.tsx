import type { ImageMetadata } from '@image-catalog/client';
import { formatTaken } from '../catalog/format-taken.ts';
import { takenMinute } from '../catalog/taken-minute.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { panelTexts } from './panel-texts.ts';

/** The time at the place of the picture, to the minute, and who says so. */
export function TakenText({
  metadata: { takenAt, capture },
}: {
  readonly metadata: ImageMetadata;
}): React.JSX.Element {
  if (takenAt === null) return <span>{commonTexts().takenUnknown}</span>;
  const isByHand = takenAt !== capture['takenAt'];
  return (
    <>
      <time dateTime={takenAt} title={formatTaken(takenAt)}>
        {takenMinute(takenAt)}
      </time>
      <span className="panel-secondary">{isByHand ? panelTexts().byHand : panelTexts().byCamera}</span>
    </>
  );
}
