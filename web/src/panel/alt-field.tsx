import { commonTexts } from '../languages/common-texts.ts';
import { DraftField } from './editable-text.tsx';
import { panelTexts } from './panel-texts.ts';
import { useDraft } from './use-draft.ts';
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
  const draft = useDraft(alt, (value) => save({ alt: value }));
  const isDecorative = alt === '';
  const left = MAX_ALT_LENGTH - lengthOf(draft.text);
  return (
    <DraftField
      kind="line"
      label={commonTexts().alt}
      placeholder={isDecorative ? panelTexts().isDecorative : panelTexts().addAlt}
      draft={draft}
    >
      <div className="panel-alt-choice">
        <label>
          <input
            type="checkbox"
            checked={isDecorative && draft.text === ''}
            disabled={draft.text !== ''}
            onChange={({ target }) => void save({ alt: target.checked ? '' : null })}
          />
          {panelTexts().decorative}
        </label>
        <span className="panel-alt-left">{panelTexts().charactersLeft(left)}</span>
      </div>
    </DraftField>
  );
}

function lengthOf(text: string): number {
  return Array.from(text.trim()).length;
}
