import type { Edit } from '../edits/edit.ts';
import { type ClockError, NO_CLOCK_ERROR, shiftMinutes } from './time-shift.ts';

/** What is in the form: a text that is `undefined` stays as it is, an empty one is removed. */
export interface EditForm {
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly clock: ClockError | undefined;
}

export const NO_EDIT: EditForm = { title: undefined, description: undefined, clock: undefined };

export const FIRST_CLOCK_ERROR: ClockError = { ...NO_CLOCK_ERROR, hours: 1 };

/** `undefined` if nothing would change, or if the shift is none. */
export function changeOf({ title, description, clock }: EditForm): Edit | undefined {
  const minutes = clock && shiftMinutes(clock);
  if (clock !== undefined && minutes === undefined) return undefined;
  const change = {
    ...(title !== undefined && { title: textOf(title) }),
    ...(description !== undefined && { description: textOf(description) }),
    ...(minutes !== undefined && { shiftMinutes: minutes }),
  };
  return Object.keys(change).length === 0 ? undefined : change;
}

export interface ShiftPreview {
  readonly from: string;
  /** `undefined` if the service will refuse it. */
  readonly to: string | undefined;
}

function textOf(text: string): string | null {
  return text.trim() === '' ? null : text;
}
