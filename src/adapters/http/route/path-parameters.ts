import { ImageNotFound } from '../../../domain/errors.ts';
import { type Name, parseName } from '../../../domain/name/name.ts';
import { RequestError } from '../errors/request-error.ts';
import { NAME_FORM } from '../request/any-name.ts';

/** @throws {RequestError}; {ImageNotFound} if the id is too large for any database */
export function readId(text: string | undefined): number {
  if (text === undefined || !/^[1-9]\d*$/.test(text)) {
    throw new RequestError('invalid_request', 'The image id must be a positive integer');
  }
  const id = Number(text);
  if (!Number.isSafeInteger(id)) throw new ImageNotFound();
  return id;
}

/** @throws {RequestError} */
export function readName(text = ''): Name {
  const name = parseName(text);
  if (name === undefined) throw new RequestError('invalid_request', `The name must be ${NAME_FORM}`);
  return name;
}
