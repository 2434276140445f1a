import { Icon } from '../controls/icon.tsx';
import { formats } from '../languages/formats.ts';
import { searchTexts } from './search-texts.ts';
import type { Suggestion } from './suggestions.ts';

const ICONS = {
  tag: 'tag',
  'no-tag': 'tag',
  date: 'calendar',
  'no-date': 'calendar',
  'no-alt': 'edit',
  type: 'image',
  camera: 'camera',
  lens: 'camera',
} as const;

export function SuggestionText({ kind, label, hint, count }: Suggestion): React.JSX.Element {
  return (
    <>
      <Icon name={ICONS[kind]} />
      {isNamed(kind) && <span className="visually-hidden">{searchTexts().kinds[kind]}</span>}
      <span className="option-text search-option-text">
        {hint ?? label}
        {hint !== undefined && <span className="option-detail"> {label}</span>}
      </span>
      {count !== undefined && <span className="option-detail">{formats().number(count)}</span>}
    </>
  );
}

/** The labels of the others say what they are. */
function isNamed(kind: Suggestion['kind']): kind is keyof typeof searchTexts.english.kinds {
  return kind in searchTexts().kinds;
}
