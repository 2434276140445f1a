import { CAPTURE_ROWS } from './fields.ts';
import { type NewMetadata, NO_METADATA } from './image-metadata.ts';

const FIELDS = Object.keys(NO_METADATA) as Array<keyof NewMetadata>;

/** The names within fields: those of a capture, and the coordinates of a focus. */
const CONTENT = [...CAPTURE_ROWS.map(([field]) => field), 'x', 'y'];

/** Whether both say the same. Versions and the times of changes do not count. */
export function saysTheSame(one: NewMetadata, other: NewMetadata): boolean {
  return FIELDS.every((field) => isEqual(one[field], other[field]));
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one, CONTENT) === JSON.stringify(other, CONTENT);
}
