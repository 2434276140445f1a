import { FILE_KIND_NAMES } from './file-kind.ts';
import { formatOf } from './format-of.ts';
import type { MediaType } from './media-type.ts';

/** Joins the names as in "JPEG, PNG or GIF". */
export function formatNames(types: readonly MediaType[]): string {
  const names = types.map((type) => FILE_KIND_NAMES[formatOf(type)]);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
