import { CatalogError, type FailureKind } from '../../client/src/node.ts';

/** What an assistant can do about an error of the catalog. */
const ADVICE: Readonly<Record<FailureKind, string>> = {
  unreachable:
    'Tell the person that the service may be down or its address wrong, and call the tool again later.',
  busy: 'Call the tool again in a moment.',
  key_in_use: 'The same upload is under way: call the tool again in a moment.',
  read_only: 'The catalog can be read, but not changed at present.',
  unauthorized: 'The person has to renew the token of this server (CATALOG_TOKEN) or sign in again.',
  forbidden: 'The token does not permit this.',
  refused: 'The same call will be refused again: change the arguments.',
  failed: 'The catalog has an error. Tell the person, with the number of the request.',
};

const BY_CODE: Readonly<Record<string, string>> = {
  too_many_changes: 'Nothing was changed: tell the person until when, and do not try again before.',
  image_not_found: 'No image has this id: find it with search_images.',
  precondition_failed:
    'Somebody has changed the image since you saw this version. Nothing was changed: call get_image again, and decide with what it shows.',
};

/** Says what has happened and what to do next, for an assistant. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof CatalogError)) return `${error instanceof Error ? error.message : String(error)}.`;
  const { message, kind, code, scope, retryAfterMs, requestId } = error;
  // The message of too many changes names the time, up to a day away.
  const isShort = retryAfterMs !== undefined && code !== 'too_many_changes';
  const wait = isShort ? ` Wait for ${Math.ceil(retryAfterMs / 1000)} s.` : '';
  const lacks = scope === undefined ? '' : ` It lacks the scope ${scope}.`;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return `${message}${request}. ${BY_CODE[code] ?? ADVICE[kind]}${lacks}${wait}`;
}
