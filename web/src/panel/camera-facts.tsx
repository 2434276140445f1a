import type { ImageMetadata } from '@image-catalog/client';
import { type CaptureLine, captureLines } from './capture-text.ts';
import { FilterButton } from './filter-button.tsx';
import { PanelLine } from './panel-line.tsx';
import { panelTexts } from './panel-texts.ts';

/** What the camera says: which it was, and where. */
export function CameraFacts({ capture }: Pick<ImageMetadata, 'capture'>): React.JSX.Element {
  const lines = captureLines(capture);
  const place = lines.find(({ kind }) => kind === 'place');
  const camera = lines.filter((line) => line !== place);
  return (
    <>
      {camera.length > 0 && (
        <PanelLine icon="camera" label={panelTexts().camera}>
          {camera.map((line) => (
            <CaptureFact key={line.kind} line={line} />
          ))}
        </PanelLine>
      )}
      {place !== undefined && (
        <PanelLine icon="place" label={panelTexts().place}>
          <p>{place.text}</p>
        </PanelLine>
      )}
    </>
  );
}

/** The camera and the lens add a filter to the view. */
function CaptureFact({ line }: { readonly line: CaptureLine }): React.JSX.Element {
  const { kind, text, filter } = line;
  if (filter === undefined || (kind !== 'camera' && kind !== 'lens')) return <p>{text}</p>;
  return (
    <FilterButton filter={filter} title={panelTexts().filterBy[kind]}>
      {text}
    </FilterButton>
  );
}
