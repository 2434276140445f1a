import type { MediaType } from './media-type.ts';

/** For people. */
const FORMAT_NAMES: Readonly<Record<MediaType, string>> = {
  'image/jpeg': 'JPEG',
  'image/png': 'PNG',
  'image/webp': 'WebP',
  'image/gif': 'GIF',
};

/** Joins the names as in "JPEG, PNG or GIF". */
export function formatNames(types: readonly MediaType[]): string {
  const names = types.map((type) => FORMAT_NAMES[type]);
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}
