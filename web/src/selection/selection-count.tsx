import { formats } from '../languages/formats.ts';
import { selectionTexts } from './selection-texts.ts';

/** Its number alone has room on a phone. */
export function SelectionCount({ count }: { readonly count: number }): React.JSX.Element {
  return (
    <>
      <output className="selection-count">{selectionTexts().selected(count)}</output>
      <span className="selection-number" aria-hidden="true">
        {formats().number(count)}
      </span>
    </>
  );
}
