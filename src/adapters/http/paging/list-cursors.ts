import { createHash } from 'node:crypto';
import type { SearchPlace } from '../../../domain/ports/records/image-search.ts';
import { INVALID_CURSOR } from '../errors/error-response.ts';
import { RequestError } from '../errors/request-error.ts';

/** Numbers that are exact. */
const PLACE = /^(?:(\d{1,15})|t(-?\d{1,15})\.(\d{1,15})|r(\d{1,2})\.(\d{1,15}))$/;

/** The cursors of a listing. Each holds a digest of it: no other listing accepts it. It needs no signature. */
export class ListCursors {
  private readonly suffix: string;

  /** @param listing equal for all pages: the space, the sort, the filters */
  constructor(listing: readonly unknown[]) {
    const digest = createHash('sha256').update(JSON.stringify(listing)).digest('hex');
    this.suffix = `.${digest.slice(0, 8)}`;
  }

  encode(place: SearchPlace): string {
    return Buffer.from(textOf(place) + this.suffix).toString('base64url');
  }

  /**
   * @param by the order of the listing
   * @throws {RequestError}
   */
  decode<By extends SearchPlace['by']>(cursor: string, by: By): SearchPlace & { readonly by: By } {
    const text = Buffer.from(cursor, 'base64url').toString('latin1');
    const place = text.endsWith(this.suffix) ? placeIn(text.slice(0, -this.suffix.length)) : undefined;
    if (place?.by === by) return place as SearchPlace & { readonly by: By };
    throw new RequestError('invalid_request', INVALID_CURSOR);
  }
}

function textOf(place: SearchPlace): string {
  if (place.by === 'created') return `${place.id}`;
  if (place.by === 'taken') return `t${place.time}.${place.id}`;
  return `r${place.power}.${place.position}`;
}

function placeIn(text: string): SearchPlace | undefined {
  const [isPlace, createdId, time, id, power, position] = PLACE.exec(text) ?? [];
  if (isPlace === undefined) return undefined;
  if (createdId !== undefined) return { by: 'created', id: Number(createdId) };
  if (time !== undefined) return { by: 'taken', time: Number(time), id: Number(id) };
  return { by: 'random', power: Number(power), position: Number(position) };
}
