import { ImageNotFound } from '../../../domain/errors.ts';

/** @throws {ImageNotFound} if the port has found none */
export function foundImage<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ImageNotFound();
  return found;
}
