import { ImageNotFound } from '../errors.ts';

/** @throws {ImageNotFound} if a port has found none */
export function foundImage<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new ImageNotFound();
  return found;
}
