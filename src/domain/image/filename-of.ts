import type { NewImage } from './image.ts';

/** As clients see it. */
export function filenameOf({ uuid, originalName }: NewImage): string {
  return `${uuid}-${originalName}`;
}
