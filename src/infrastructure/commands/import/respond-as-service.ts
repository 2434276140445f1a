import { errorOf } from '../../../../client/src/catalog-error.ts';
import { errorResponse } from '../../../adapters/http/errors/error-response.ts';
import { DomainError } from '../../../domain/errors.ts';
import type { ImportTarget } from '../../../domain/ports/commands/import-target.ts';

/** Throws the errors that a client of the service gets: only for these is it known whether a retry helps. */
export function respondAsService(target: ImportTarget): ImportTarget {
  return {
    lookUp: (digests, stopped) => target.lookUp(digests, stopped).catch(throwResponse),
    upload: (upload, stopped) => target.upload(upload, stopped).catch(throwResponse),
  };
}

async function throwResponse(error: unknown): Promise<never> {
  if (!(error instanceof DomainError)) throw error;
  const { body, ...init } = errorResponse(error);
  throw await errorOf(Response.json(body, init));
}
