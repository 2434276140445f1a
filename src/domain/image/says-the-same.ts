import { CAPTURE_ROWS } from './fields.ts';
import { type NewMetadata, NO_METADATA } from './image-metadata.ts';

/** The names of all fields, and those of the coordinates of a focus. */
const CONTENT = [...Object.keys(NO_METADATA), ...CAPTURE_ROWS.map(([field]) => field), 'x', 'y'];

/** Whether both say the same. Versions and the times of changes do not count. */
export function saysTheSame(one: NewMetadata, other: NewMetadata): boolean {
  return JSON.stringify(one, CONTENT) === JSON.stringify(other, CONTENT);
}
