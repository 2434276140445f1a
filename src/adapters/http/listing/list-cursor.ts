import { createHash } from 'node:crypto';

/**
 * The place in a listing behind which the next page starts: the last id seen and a digest of the order and the filters,
 * so that a cursor cannot be carried into another listing. Opaque to clients; it holds no secret and needs no signature.
 */
export function encodeCursor(id: number, listing: string): string {
  return Buffer.from(`${id}.${digest(listing)}`).toString('base64url');
}

/** The id in a cursor; `undefined` where it is ill-formed or of another listing. */
export function decodeCursor(cursor: string, listing: string): number | undefined {
  const match = /^([1-9]\d{0,15})\.([0-9a-f]{8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null || match[2] !== digest(listing)) return undefined;
  return Number(match[1]);
}

function digest(listing: string): string {
  return createHash('sha256').update(listing).digest('hex').slice(0, 8);
}
