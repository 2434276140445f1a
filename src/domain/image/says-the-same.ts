import { type NewMetadata, NO_CAPTURE, NO_METADATA } from './image-metadata.ts';

const CONTENT = [...Object.keys(NO_METADATA), ...Object.keys(NO_CAPTURE), 'latitude', 'longitude', 'x', 'y'];

/** Whether both say the same; versions and times of changes do not count. */
export function saysTheSame(one: NewMetadata, other: NewMetadata): boolean {
  return JSON.stringify(one, CONTENT) === JSON.stringify(other, CONTENT);
}
