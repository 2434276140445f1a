import * as z from 'zod';
import { CatalogError } from '../../../client/src/node.ts';
import { MEDIA_TYPES } from '../../domain/image/media-type.ts';
import type { SourceRecord } from '../../domain/ports/commands/export-source.ts';

/** Characters of JSON. A record of the service, with its metadata, is a small part of it. */
const MAX_RECORD_LENGTH = 1024 * 1024;

const ID = z.int().positive();

const RECORD = z.looseObject({
  id: ID,
  originalName: z.string(),
  mediaType: z.enum(MEDIA_TYPES),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * The name of a file and the end of a download follow from these fields.
 *
 * @throws {CatalogError} unless the service can have sent the record
 */
export function requireRecord<T extends SourceRecord>(record: T): T {
  const { error } = RECORD.safeParse(record);
  if (error !== undefined) throw unexpected(`a record whose ${fieldOf(error)} this version does not know`);
  if (lengthOf(record) > MAX_RECORD_LENGTH) throw unexpected('a record that is too large');
  return record;
}

/** @throws {CatalogError} unless it is the id of an image */
export function requireId(id: unknown): number {
  const parsed = ID.safeParse(id);
  if (!parsed.success) throw unexpected('an id that is no positive integer');
  return parsed.data;
}

/** The error of a response that contradicts the API. */
export function unexpected(what: string): CatalogError {
  return new CatalogError(`The service has sent ${what}: check its address and its version`, {
    code: 'unexpected_response',
    status: 200,
  });
}

function fieldOf({ issues }: z.ZodError): string {
  return String(issues[0]?.path[0] ?? 'form');
}

/** Infinite if the value is nested so deeply that it cannot be written. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value).length;
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
