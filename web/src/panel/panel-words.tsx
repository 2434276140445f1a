import type { ImageMetadata } from '@image-catalog/client';
import { commonTexts } from '../languages/common-texts.ts';
import { AltField } from './alt-field.tsx';
import { EditableText } from './editable-text.tsx';
import { panelTexts } from './panel-texts.ts';
import type { PanelMetadata } from './use-metadata.ts';

interface PanelWordsProps {
  readonly metadata: ImageMetadata;
  /** Without, nothing can be changed. */
  readonly save: PanelMetadata['save'] | undefined;
}

/** Title, alternative text and description. */
export function PanelWords({ metadata, save }: PanelWordsProps): React.JSX.Element | null {
  const { title, description, alt } = metadata;
  if (save === undefined) {
    if (title === null && description === null && !alt) return null;
    return (
      <section className="panel-section">
        {title !== null && <p className="panel-fixed-title">{title}</p>}
        {alt && (
          <p className="panel-secondary">
            {commonTexts().alt}: {alt}
          </p>
        )}
        {description !== null && <p className="panel-fixed-text">{description}</p>}
      </section>
    );
  }
  return (
    <section className="panel-section">
      <EditableText
        kind="title"
        label={commonTexts().title}
        placeholder={panelTexts().addTitle}
        value={title}
        onSave={(value) => save({ title: value })}
      />
      {/* Services of earlier versions have none. */}
      {alt !== undefined && <AltField alt={alt} save={save} />}
      <EditableText
        kind="text"
        label={commonTexts().description}
        placeholder={panelTexts().addDescription}
        value={description}
        onSave={(value) => save({ description: value })}
      />
    </section>
  );
}
