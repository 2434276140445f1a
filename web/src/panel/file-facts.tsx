import type { ImageRecord } from '@image-catalog/client';
import { formatMediaType } from '../base/media-types.ts';
import { formatDimensions } from '../catalog/file-facts.ts';
import { formats } from '../languages/formats.ts';
import { useSession } from '../session/use-session.ts';
import { FilterButton } from './filter-button.tsx';
import { PanelLine } from './panel-line.tsx';
import { panelTexts } from './panel-texts.ts';

/** What the service knows of the file. */
export function FileFacts({ record }: { readonly record: ImageRecord }): React.JSX.Element {
  const { originalName, mediaType, size, createdAt, createdBy } = record;
  const { subject } = useSession();
  return (
    <PanelLine icon="image" label={panelTexts().file}>
      <p>{originalName}</p>
      <p className="panel-secondary">{formatDimensions(record)}</p>
      <p className="panel-secondary">
        {formatMediaType(mediaType)} · {formats().size(size)}
      </p>
      <p className="panel-secondary" title={`${formats().time(createdAt)} UTC`}>
        {panelTexts().added(formats().localMinute(createdAt))}
      </p>
      {/* Services of earlier versions do not say it, and no service knows the person's name. */}
      {typeof createdBy === 'string' && (
        <FilterButton filter={{ createdBy }} title={panelTexts().filterBy.person}>
          {panelTexts().uploadedBy(createdBy === subject ? 'you' : { subject: createdBy })}
        </FilterButton>
      )}
    </PanelLine>
  );
}
