import { CAPTURE_ROWS, WRITTEN_ROWS } from './fields.ts';
import { keptName, type NewMetadata } from './image-metadata.ts';

const WRITTEN = WRITTEN_ROWS.flatMap(([field, { isSearched }]) =>
  isSearched === true ? [keptName(field)] : [],
);
const CAPTURED = CAPTURE_ROWS.flatMap(([field, { isSearched }]) => (isSearched === true ? [field] : []));

/** All texts whose words `q` finds. */
export function searchableTexts(originalName: string, metadata: NewMetadata): readonly string[] {
  const values = [
    ...WRITTEN.map((field) => metadata[field]),
    ...CAPTURED.map((field) => metadata.capture[field]),
  ];
  return [originalName, ...values.flat().filter((value) => typeof value === 'string')];
}
