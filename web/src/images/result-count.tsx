import { useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useWaited } from '../base/use-waited.ts';
import { commonTexts } from '../languages/common-texts.ts';
import type { ImageList } from './image-list.ts';
import { useImages } from './use-images.ts';

const ID = 'result-count';

/** How many pictures the view has, also for screen readers when it changes. */
export function ResultCount(): React.JSX.Element {
  const list = useStore(useImages().list);
  return (
    <output className="view-bar-count" id={ID} tabIndex={-1}>
      {list !== undefined && <Count list={list} />}
    </output>
  );
}

/** Keeps the count of the former view until that of the next one is known, unless that takes long or fails. */
function Count({ list }: { readonly list: ImageList }): string {
  useStore(list.version);
  const hasFailed = useStore(list.problem) !== undefined;
  const count = list.contents === undefined ? undefined : list.count;
  const [shown, setShown] = useState(count);
  const [waited, restart] = useWaited(count === undefined);
  if (count !== undefined && (count !== shown || waited !== 'nothing')) {
    setShown(count);
    restart();
  }
  if (list.contents?.isOpen === true) return '';
  if (count === undefined && (hasFailed || waited !== 'nothing')) return '';
  return shown === undefined ? '' : commonTexts().pictures(shown);
}

/** When the filter that had the focus is gone. */
export function focusResultCount(): void {
  document.getElementById(ID)?.focus();
}
