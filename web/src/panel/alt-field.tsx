import { useId } from 'react';
import { commonTexts } from '../languages/common-texts.ts';
import { EditableText } from './editable-text.tsx';
import { panelTexts } from './panel-texts.ts';
import type { PanelMetadata } from './use-metadata.ts';

interface AltFieldProps {
  /** `null`: nobody has written one. Empty: the picture is decorative. */
  readonly alt: string | null;
  readonly save: PanelMetadata['save'];
}

/** Characters, as the service counts them. */
const MAX_ALT_LENGTH = 500;

/** The text for people who cannot see the picture, or the choice that it needs none. */
export function AltField({ alt, save }: AltFieldProps): React.JSX.Element {
  const id = useId();
  const isDecorative = alt === '';
  return (
    <EditableText
      kind="line"
      label={commonTexts().alt}
      placeholder={isDecorative ? panelTexts().isDecorative : panelTexts().addAlt}
      value={alt}
      onSave={(value) => save({ alt: value })}
      hint={(text) => (
        <span className="panel-alt-choice">
          <input
            id={id}
            type="checkbox"
            checked={isDecorative && text === ''}
            disabled={text !== ''}
            onChange={({ target }) => void save({ alt: target.checked ? '' : null })}
          />
          <label htmlFor={id}>{panelTexts().decorative}</label>
          <span className="panel-alt-left">
            {panelTexts().charactersLeft(MAX_ALT_LENGTH - lengthOf(text))}
          </span>
        </span>
      )}
    />
  );
}

function lengthOf(text: string): number {
  return Array.from(text.trim()).length;
}
