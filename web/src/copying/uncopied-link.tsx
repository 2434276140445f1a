import { copyingTexts } from './copying-texts.ts';

/** To be copied by hand. */
export function UncopiedLink({ link }: { readonly link: string | undefined }): React.JSX.Element | null {
  if (link === undefined) return null;
  return (
    <label className="panel-label">
      {copyingTexts().copyByHand}
      <input className="panel-input" readOnly value={link} ref={selectAll} />
    </label>
  );
}

function selectAll(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
