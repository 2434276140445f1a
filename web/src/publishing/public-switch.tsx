import { publishingTexts } from './publishing-texts.ts';

interface PublicSwitchProps {
  /** `undefined` for a name that is still typed. */
  readonly name?: string;
  readonly isPublic: boolean;
  /** Keeps its place, so that nothing moves when it is shown. */
  readonly isHidden?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isPublic: boolean) => void;
}

export function PublicSwitch(props: PublicSwitchProps): React.JSX.Element {
  const { name, isPublic, isHidden = false, isDisabled = false, onChange } = props;
  return (
    <label className="publishing-switch" data-hidden={isHidden || undefined}>
      <input
        type="checkbox"
        role="switch"
        aria-label={name === undefined ? undefined : publishingTexts().addressOf(name)}
        aria-checked={isPublic}
        checked={isPublic}
        disabled={isDisabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      {publishingTexts().address}
    </label>
  );
}
