import type { ImageRecord } from '@image-catalog/client';
import { formatTaken } from '../catalog/format-taken.ts';
import { bulkEditTexts } from './bulk-edit-texts.ts';
import { previewOf } from './preview-of.ts';
import { type ClockError, MAX_DAYS } from './time-shift.ts';

interface ClockFieldsProps {
  readonly clock: ClockError;
  /** Pictures that are loaded. */
  readonly records: readonly ImageRecord[];
  /** All pictures. */
  readonly count: number;
  readonly onChange: (clock: ClockError) => void;
}

const UNITS = ['days', 'hours', 'minutes'] as const;
const MOST = { days: MAX_DAYS, hours: 23, minutes: 59 } as const;

/** By how much the clock of the camera was wrong, and what becomes of the times. */
export function ClockFields({ clock, records, count, onChange }: ClockFieldsProps): React.JSX.Element {
  return (
    <>
      <fieldset className="form-row" aria-label={bulkEditTexts().changeTime}>
        <label className="form-label">
          {bulkEditTexts().clock}
          <select
            className="form-input"
            value={clock.direction}
            onChange={({ target }) =>
              onChange({ ...clock, direction: target.value === 'ahead' ? 'ahead' : 'behind' })
            }
          >
            <option value="behind">{bulkEditTexts().behind}</option>
            <option value="ahead">{bulkEditTexts().ahead}</option>
          </select>
        </label>
        {UNITS.map((unit) => (
          <label key={unit} className="form-label">
            {bulkEditTexts().units[unit]}
            <input
              className="form-input"
              type="number"
              inputMode="numeric"
              min={0}
              max={MOST[unit]}
              value={Number.isNaN(clock[unit]) ? '' : clock[unit]}
              onChange={({ target }) => onChange({ ...clock, [unit]: target.valueAsNumber })}
            />
          </label>
        ))}
      </fieldset>
      <Preview clock={clock} records={records} count={count} />
    </>
  );
}

function Preview({ clock, records, count }: Omit<ClockFieldsProps, 'onChange'>): React.JSX.Element {
  const previews = previewOf(records, clock);
  const without = records.filter(({ takenAt }) => takenAt === null).length;
  const labels = [bulkEditTexts().first, bulkEditTexts().last];
  return (
    <output className="form-preview">
      {previews.map(({ from, to }, index) => (
        <p key={from}>
          {previews.length > 1 && `${labels[index]}: `}
          {formatTaken(from)} → {to === undefined ? bulkEditTexts().impossible : formatTaken(to)}
        </p>
      ))}
      {previews.length === 0 && <p>{bulkEditTexts().noShift}</p>}
      {without > 0 && <p>{bulkEditTexts().withoutTime(without)}</p>}
      {records.length < count && <p>{bulkEditTexts().notLoaded(count - records.length)}</p>}
    </output>
  );
}
