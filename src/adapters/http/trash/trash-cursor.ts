import type { TrashPosition } from '../../../domain/ports/records/trash.ts';
import type { Space } from '../../../domain/space/space.ts';
import { INVALID_CURSOR } from '../errors/error-response.ts';
import { RequestError } from '../errors/request-error.ts';
import { decodeCursor, encodeCursor } from '../paging/list-cursor.ts';

/** That of no listing of images. */
function listingOf(space: Space): string {
  return JSON.stringify([space, 'trash']);
}

export function trashCursor({ trashedAt, id }: TrashPosition, space: Space): string {
  return encodeCursor({ by: 'taken', time: trashedAt.getTime(), id }, listingOf(space));
}

/** @throws {RequestError} */
export function trashPositionIn(cursor: string, space: Space): TrashPosition {
  const place = decodeCursor(cursor, listingOf(space));
  if (place?.by !== 'taken') throw new RequestError('invalid_request', INVALID_CURSOR);
  return { trashedAt: new Date(place.time), id: place.id };
}
