import type { ImageMetadata, ImageRecord } from '@image-catalog/client';
import { useState } from 'react';
import { useCatalog } from '../catalog/use-catalog.ts';
import { UncopiedLink } from '../copying/uncopied-link.tsx';
import { useCopy } from '../copying/use-copy.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { originalFacts } from './original-facts.ts';
import { PanelAction } from './panel-action.tsx';
import { panelTexts } from './panel-texts.ts';

const WEEK_SECONDS = 604_800;

interface LinkSectionProps {
  readonly record: ImageRecord;
  readonly metadata: ImageMetadata;
}

/** Links to send to others: to the gallery, and to the file itself. */
export function LinkSection({ record, metadata }: LinkSectionProps): React.JSX.Element {
  const { id } = record;
  const catalog = useCatalog();
  const trouble = useTrouble();
  const { copy, uncopied } = useCopy();
  // Chosen for each picture anew: nothing is told by a choice of another day.
  const [tellsAll, setTellsAll] = useState(false);

  async function copyPublic(): Promise<void> {
    try {
      const renditions = [tellsAll ? {} : ({ metadata: 'none' } as const)];
      const { images } = await catalog.links([id], { renditions, ttlSeconds: WEEK_SECONDS });
      const [link] = images[id] ?? [];
      if (link !== undefined) await copy(link);
    } catch (error) {
      trouble.report(error);
    }
  }

  return (
    <>
      <PanelAction
        icon="link"
        label={panelTexts().copyPage}
        hint={panelTexts().copyPageHint}
        onClick={() => copy(new URL(`./?image=${id}`, location.href).href)}
      />
      <PanelAction
        icon="link"
        label={panelTexts().copyPublic}
        hint={panelTexts().copyPublicHint(tellsAll)}
        onClick={copyPublic}
      />
      <label className="panel-action panel-option form-choice">
        <input type="checkbox" checked={tellsAll} onChange={({ target }) => setTellsAll(target.checked)} />
        <span className="panel-row-text">
          {panelTexts().tellAll}
          <span className="panel-secondary">{panelTexts().tells(originalFacts(record, metadata))}</span>
        </span>
      </label>
      <UncopiedLink link={uncopied} />
    </>
  );
}
