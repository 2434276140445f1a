import { useStore } from '../base/use-store.ts';
import { useImageList } from '../images/use-image-list.ts';
import { coverOf, idsOf, rangeOf } from '../selection/section-range.ts';
import { useSelection } from '../selection/use-selection.ts';
import { gridTexts } from './grid-texts.ts';

interface MonthCheckProps {
  /** Index of the section. */
  readonly section: number;
  /** As in November 2026. */
  readonly month: string;
}

const CHECKED = { none: false, some: 'mixed', all: true } as const;

/** Selects all pictures of a month, or none of them if all are selected. */
export function MonthCheck({ section, month }: MonthCheckProps): React.JSX.Element {
  const selection = useSelection();
  const list = useImageList();
  const selected = useStore(selection.ids);
  const range = rangeOf(list, section);
  const cover = list === undefined || range === undefined ? 'none' : coverOf(list, range, selected);

  function toggle(): void {
    if (list === undefined || range === undefined) return;
    if (cover === 'all') selection.remove(idsOf(list, range).filter((id) => id !== undefined));
    else void selection.addRange(list, range.first, range.last);
  }

  return (
    <button
      type="button"
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn as the check marks of pictures
      role="checkbox"
      className="grid-month-check"
      aria-checked={CHECKED[cover]}
      aria-label={gridTexts().selectMonth(month)}
      title={gridTexts().selectMonth(month)}
      onClick={toggle}
    />
  );
}
