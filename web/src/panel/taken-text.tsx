import type { ImageMetadata } from '@image-catalog/client';
import { formatTaken } from '../catalog/format-taken.ts';
import { texts } from '../languages/texts.ts';

/** The time, and who says so. */
export function TakenText({
  metadata: { takenAt, capture },
}: {
  readonly metadata: ImageMetadata;
}): React.JSX.Element {
  if (takenAt === null) return <span>{texts.panel.takenUnknown}</span>;
  const isByHand = takenAt !== capture['takenAt'];
  return (
    <>
      <span>{formatTaken(takenAt)}</span>
      <span className="panel-secondary">{isByHand ? texts.panel.byHand : texts.panel.byCamera}</span>
    </>
  );
}
