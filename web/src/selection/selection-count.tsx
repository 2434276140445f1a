import { texts } from '../languages/texts.ts';

/** Its number alone has room on a phone. */
export function SelectionCount({ count }: { readonly count: number }): React.JSX.Element {
  return (
    <>
      <output className="selection-count">{texts.selection.selected(count)}</output>
      <span className="selection-number" aria-hidden="true">
        {texts.formats.number(count)}
      </span>
    </>
  );
}
