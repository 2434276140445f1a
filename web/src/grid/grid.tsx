import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from '../base/use-store.ts';
import { useStoreValue } from '../base/use-store-value.ts';
import { useLinks } from '../catalog/use-links.ts';
import type { ImageList } from '../images/image-list.ts';
import { periodText } from '../images/period-text.ts';
import { useImages } from '../images/use-images.ts';
import { formats } from '../languages/formats.ts';
import { usePublishedNames } from '../publishing/use-published-names.ts';
import { useSelection } from '../selection/use-selection.ts';
import { useRights } from '../session/use-rights.ts';
import { useShortcut } from '../shortcuts/use-shortcut.ts';
import { useStars } from '../star/use-stars.ts';
import { Waiting } from '../states/waiting.tsx';
import { failureOf } from '../trouble/failure.ts';
import { isOutage } from '../trouble/is-outage.ts';
import type { Trouble } from '../trouble/trouble.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { EmptyCatalog } from '../upload/empty-catalog.tsx';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import { isFiltered } from '../view-state/view-state.ts';
import { Cell } from './grid-cell.tsx';
import { GridCursor } from './grid-cursor.ts';
import type { GridFrame, GridHeading } from './grid-model.ts';
import { gridTexts } from './grid-texts.ts';
import { MonthCheck } from './month-check.tsx';
import { NoMatches } from './no-matches.tsx';
import { observePage } from './observe-page.ts';
import { useGrid } from './use-grid.ts';
import { usePointer } from './use-pointer.ts';
import './grid.css';

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];

/** The pictures of the view in justified rows. */
export function Grid(): React.JSX.Element {
  const images = useImages();
  const grid = useGrid();
  const trouble = useTrouble();
  const links = useLinks();
  const list = useStore(images.list);
  const frame = useStore(grid.frame);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => images.open(), [images]);
  useEffect(() => grid.show(list), [grid, list]);
  useEffect(() => (list === undefined ? undefined : reportProblems(list, trouble)), [list, trouble]);
  // Links may be missing, too.
  useEffect(() => trouble.again.subscribe(links.raiseVersion), [trouble, links]);
  useLayoutEffect(() => (root.current === null ? undefined : observePage(root.current, grid)), [grid]);
  useLayoutEffect(() => {
    const target = frame && grid.takePageTarget();
    if (target !== undefined) window.scrollTo({ top: target, behavior: 'instant' });
  }, [grid, frame]);
  return (
    <div className="grid" ref={root}>
      <div className="grid-ruler" />
      {frame === undefined ? <NotThereYet /> : <Contents frame={frame} />}
    </div>
  );
}

/**
 * What passes is shown and repeated by `trouble`, and a missing space takes the whole page; the rest is shown in the place of the
 * pictures, if none are there.
 */
function reportProblems(list: ImageList, trouble: Trouble): () => void {
  const report = (): void => {
    const problem = list.problem.get();
    const failure = failureOf(problem, navigator.onLine);
    if (failure === undefined) return;
    const isOfPage = isOutage(failure) || failure.kind === 'space_missing';
    if (isOfPage || list.contents !== undefined) trouble.report(problem, { retry: () => list.retry() });
  };
  // The list was opened before there was a page.
  if (list.contents === undefined) report();
  return list.problem.subscribe(report);
}

function Contents({ frame }: { frame: GridFrame }): React.JSX.Element {
  const addressBar = useAddressBar();
  const view = useStore(addressBar.view);
  if (frame.count > 0) return <Pictures frame={frame} />;
  return isFiltered(view) ? <NoMatches /> : <EmptyCatalog />;
}

function Pictures({ frame }: { frame: GridFrame }): React.JSX.Element {
  const grid = useGrid();
  const selection = useSelection();
  const addressBar = useAddressBar();
  const [cursor] = useState(() => new GridCursor(grid, selection, addressBar));
  const isSelecting = useStoreValue(selection.ids, ({ size }) => size > 0);
  const list = useRef<HTMLDivElement>(null);
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  const pointer = usePointer(cursor, selection);
  const { position } = cursor;
  useEffect(() => cursor.followViewer(), [cursor]);
  useCursorFocus(list, cursor, frame);
  useShortcut(ARROWS, () => {
    if (document.activeElement !== document.body) return false;
    cursor.enter();
    return true;
  });
  useShortcut('mod+a', () => cursor.selectAll());
  useStarKey(cursor);
  const current = frame.cells.some((cell) => cell.position === position) ? position : frame.firstInView;
  return (
    <div className="grid-box" style={{ height: frame.boxHeight }}>
      <div
        ref={setLayer}
        className="grid-layer"
        data-selecting={isSelecting || undefined}
        style={{ transform: `translateY(${frame.layerTop}px)` }}
      >
        {frame.headings.map((heading) => (
          <Heading key={heading.period} {...heading} />
        ))}
        <div
          ref={list}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a <select> holds text only
          role="listbox"
          tabIndex={-1}
          aria-label={gridTexts().label}
          aria-multiselectable
          className="grid-list"
          {...pointer}
          onKeyDown={(event) => {
            if (cursor.press(event)) event.preventDefault();
          }}
          onFocus={({ target }) => {
            const focused = target.dataset['position'];
            if (focused !== undefined) cursor.moveTo(Number(focused));
          }}
          onBlur={() => cursor.leave()}
        >
          <Cells frame={frame} current={current} layer={layer} />
        </div>
      </div>
    </div>
  );
}

/** Pictures with a public address that people see who may not publish. */
const NONE: ReadonlySet<number> = new Set();

interface CellsProps {
  readonly frame: GridFrame;
  /** Position of the picture to which the Tab key leads. */
  readonly current: number;
  readonly layer: HTMLElement | null;
}

function Cells({ frame, current, layer }: CellsProps): readonly React.JSX.Element[] {
  const stars = useStars();
  const selected = useStore(useSelection().ids);
  useStore(stars.pending);
  const known = useStore(usePublishedNames().ids);
  const published = useRights().seePublished ? known : NONE;
  return frame.cells.map((cell) => (
    <Cell
      key={cell.record?.id ?? `at ${cell.position}`}
      {...cell}
      count={frame.count}
      isSelected={cell.record !== undefined && selected.has(cell.record.id)}
      isStarred={cell.record !== undefined && stars.has(cell.record)}
      isPublished={cell.record !== undefined && published.has(cell.record.id)}
      isCurrent={cell.position === current}
      layer={layer}
    />
  ));
}

/** The selected pictures, or the one that has the focus. */
function useStarKey(cursor: GridCursor): void {
  const selection = useSelection();
  const images = useImages();
  const stars = useStars();
  const rights = useRights();
  useShortcut(
    'f',
    () => {
      const selected = [...selection.ids.get()];
      const focused = cursor.hasFocus ? images.list.get()?.recordAt(cursor.position) : undefined;
      if (selected.length > 0) stars.toggle(selected);
      else if (focused !== undefined) stars.toggle([focused.id]);
    },
    { enabled: rights.write },
  );
}

/** The picture of the cursor gets the focus when the cursor asks for it, and again if the focus is lost. */
function useCursorFocus(
  list: React.RefObject<HTMLElement | null>,
  cursor: GridCursor,
  frame: GridFrame,
): void {
  const focusRequests = useStore(cursor.focusRequests);
  const handled = useRef(focusRequests);
  useLayoutEffect(() => {
    // An element whose picture was loaded, or hidden, is another one, and the focus is lost with it.
    const isLost = cursor.hasFocus && document.activeElement === document.body;
    const isDrawn = frame.cells.some((cell) => cell.position === cursor.position);
    if (!isDrawn || (handled.current === focusRequests && !isLost)) return;
    const wanted = list.current?.querySelector(`[data-position="${cursor.position}"]`);
    if (!(wanted instanceof HTMLElement)) return;
    handled.current = focusRequests;
    wanted.focus({ preventScroll: true });
  }, [list, cursor, focusRequests, frame]);
}

const Heading = memo(function Heading({ period, count, section, x, y }: GridHeading): React.JSX.Element {
  const month = periodText(period);
  return (
    <div className="grid-heading" style={{ transform: `translate(${x}px, ${y}px)` }}>
      <h2 className="grid-heading-text">
        {month} <span className="grid-heading-count">{formats().number(count)}</span>
      </h2>
      <MonthCheck section={section} month={month} />
    </div>
  );
});

/** Rows without pictures, or what has gone wrong. */
function NotThereYet(): React.JSX.Element | null {
  const images = useImages();
  const list = useStore(images.list);
  return list === undefined ? null : <Opening list={list} />;
}

const SKELETONS = Array.from({ length: 24 }, (_, index) => index);

function Opening({ list }: { list: ImageList }): React.JSX.Element {
  const problem = useStore(list.problem);
  const images = useImages();
  return (
    <div className="grid-opening">
      {problem === undefined && (
        <div className="grid-skeleton">
          <output className="visually-hidden">{gridTexts().loading}</output>
          {SKELETONS.map((index) => (
            <div key={index} className="grid-skeleton-cell" />
          ))}
        </div>
      )}
      <Waiting key={problem === undefined ? 'waiting' : 'failed'} error={problem} retry={images.reopen} />
    </div>
  );
}
