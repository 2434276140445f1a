import type { ImageRecord } from '@image-catalog/client';
import { nameOf } from '../catalog/picture-name.ts';
import { takenMinute } from '../catalog/taken-minute.ts';

interface ViewerTitleProps {
  readonly record: Pick<ImageRecord, 'title' | 'originalName' | 'takenAt'>;
  /** As in 3 of 1,204. */
  readonly place?: string;
}

/** Which picture it is, in the bar of the viewer. */
export function ViewerTitle({ record, place }: ViewerTitleProps): React.JSX.Element {
  const { takenAt } = record;
  return (
    <div className="viewer-title">
      <h2 title={nameOf(record)}>{nameOf(record)}</h2>
      <p>
        {takenAt !== null && <span>{takenMinute(takenAt)}</span>}
        {place !== undefined && <span>{place}</span>}
      </p>
    </div>
  );
}
