import { createHash } from 'node:crypto';
import type { SearchPlace } from '../../../domain/ports/records/image-search.ts';

/** Holds a digest of the space, the sort and the filters: a cursor is not accepted in another listing. It needs no signature. */
export function encodeCursor(place: SearchPlace, listing: string): string {
  return Buffer.from(`${textOf(place)}.${digest(listing)}`).toString('base64url');
}

/** `undefined` if the cursor is ill-formed or from another listing. */
export function decodeCursor(cursor: string, listing: string): SearchPlace | undefined {
  const match = /^(.+)\.([0-9a-f]{8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null || match[2] !== digest(listing)) return undefined;
  return placeIn(match[1] ?? '');
}

function textOf(place: SearchPlace): string {
  if (place.by === 'created') return `${place.id}`;
  if (place.by === 'taken') return `t${place.time}.${place.id}`;
  return `r${place.power}.${place.position}`;
}

/** Numbers that are exact. */
const PLACE = /^(?:(\d{1,15})|t(-?\d{1,15})\.(\d{1,15})|r(\d{1,2})\.(\d{1,15}))$/;

function placeIn(text: string): SearchPlace | undefined {
  const [isPlace, createdId, time, id, power, position] = PLACE.exec(text) ?? [];
  if (isPlace === undefined) return undefined;
  if (createdId !== undefined) return { by: 'created', id: Number(createdId) };
  if (time !== undefined) return { by: 'taken', time: Number(time), id: Number(id) };
  return { by: 'random', power: Number(power), position: Number(position) };
}

function digest(listing: string): string {
  return createHash('sha256').update(listing).digest('hex').slice(0, 8);
}
