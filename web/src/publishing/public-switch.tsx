import { publishingTexts } from './publishing-texts.ts';

interface PublicSwitchProps {
  /** `undefined` for a name that is still typed. */
  readonly name?: string;
  readonly isPublic: boolean;
  readonly onChange: (isPublic: boolean) => void;
}

export function PublicSwitch({ name, isPublic, onChange }: PublicSwitchProps): React.JSX.Element {
  return (
    <label className="publishing-switch">
      <input
        type="checkbox"
        role="switch"
        aria-label={name === undefined ? undefined : publishingTexts().addressOf(name)}
        aria-checked={isPublic}
        checked={isPublic}
        onChange={({ target }) => onChange(target.checked)}
      />
      {publishingTexts().address}
    </label>
  );
}
