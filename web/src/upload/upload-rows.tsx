import { useEffect, useRef, useState } from 'react';
import { listen } from '../base/listen.ts';
import { useStore } from '../base/use-store.ts';
import { useSize } from '../controls/use-size.ts';
import { isUnfinished } from './is-unfinished.ts';
import type { UploadItem } from './upload-item.ts';
import { UploadRow } from './upload-row.tsx';
import { uploadTexts } from './upload-texts.ts';
import { totalOf } from './upload-words.ts';
import { useUploads } from './use-uploads.ts';

/** In `rem`, as in the style sheet: rows grow with the text. */
const ROW_REM = 4;
const ROWS_IN_VIEW = 5;
/** Rows beside those that can be seen. */
const SPARE_ROWS = 3;

type Filter = 'all' | 'problems';

/** The files. Only rows that can be seen are in the page. */
export function UploadRows(): React.JSX.Element {
  const uploads = useUploads();
  const { counts } = useStore(uploads.summary);
  const items = useStore(uploads.items);
  const [chosen, choose] = useState<Filter>('all');
  const problems = counts.refused + counts.failed;
  const filter = problems === 0 ? 'all' : chosen;
  const shown = filter === 'all' ? items : items.filter(isProblem);
  return (
    <>
      {items.length > ROWS_IN_VIEW && (
        <fieldset className="upload-filter">
          <legend className="visually-hidden">{uploadTexts().list}</legend>
          {(['all', 'problems'] as const).map((value) => (
            <label key={value}>
              <input
                type="radio"
                name="upload-filter"
                checked={filter === value}
                disabled={value === 'problems' && problems === 0}
                onChange={() => choose(value)}
              />
              {value === 'all' ? uploadTexts().all(totalOf(counts)) : uploadTexts().problems(problems)}
            </label>
          ))}
        </fieldset>
      )}
      <Rows key={filter} items={shown} />
    </>
  );
}

function Rows({ items }: { readonly items: readonly UploadItem[] }): React.JSX.Element {
  const box = useRef<HTMLElement>(null);
  const [top, setTop] = useState(0);
  const size = useSize(box);
  const rowHeight = measureRow();
  const height = size?.height ?? ROWS_IN_VIEW * rowHeight;
  useFollow(box, items, rowHeight);
  const first = Math.max(0, Math.floor(top / rowHeight) - SPARE_ROWS);
  const end = Math.min(items.length, Math.ceil((top + height) / rowHeight) + SPARE_ROWS);
  return (
    <section
      ref={box}
      className="upload-rows"
      aria-label={uploadTexts().list}
      // What scrolls has to be reached by the keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <ul style={{ height: items.length * rowHeight }}>
        {items.slice(first, end).map((item, index) => (
          <UploadRow
            key={item.id}
            item={item}
            position={first + index}
            count={items.length}
            top={(first + index) * rowHeight}
          />
        ))}
      </ul>
    </section>
  );
}

/** Keeps the file that is being uploaded in view until the user scrolls or moves the focus into the list. */
function useFollow(
  box: React.RefObject<HTMLElement | null>,
  items: readonly UploadItem[],
  rowHeight: number,
): void {
  const uploads = useUploads();
  const summary = useStore(uploads.summary);
  const isFollowing = useRef(true);
  useEffect(() => {
    const stop = (): void => void (isFollowing.current = false);
    const events = { wheel: stop, touchstart: stop, pointerdown: stop, focusin: stop };
    return box.current === null ? undefined : listen(box.current, events, { passive: true });
  }, [box]);
  useEffect(() => {
    if (!isFollowing.current || box.current === null || summary.waiting === 0) return;
    const current = items.findIndex(({ state }) => isUnfinished(state.get()));
    box.current.scrollTo({ top: Math.max(0, current - 1) * rowHeight });
  }, [box, items, rowHeight, summary]);
}

function isProblem({ state }: UploadItem): boolean {
  const { kind } = state.get();
  return kind === 'refused' || kind === 'failed';
}

function measureRow(): number {
  return ROW_REM * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
}
