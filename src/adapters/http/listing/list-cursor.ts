import { createHash } from 'node:crypto';

/** Holds a digest of the order and filters: a cursor is not accepted in another listing. It needs no signature. */
export function encodeCursor(id: number, listing: string): string {
  return Buffer.from(`${id}.${digest(listing)}`).toString('base64url');
}

/** `undefined` if the cursor is ill-formed or from another listing. */
export function decodeCursor(cursor: string, listing: string): number | undefined {
  const match = /^([1-9]\d{0,15})\.([0-9a-f]{8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  if (match === null || match[2] !== digest(listing)) return undefined;
  return Number(match[1]);
}

function digest(listing: string): string {
  return createHash('sha256').update(listing).digest('hex').slice(0, 8);
}
