import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';

/** The images that a client can know, newest first. */
export function someImages({ storage, ledger }: SimulatedCatalog): readonly number[] {
  const ids = new Set([...ledger.ids, ...storage.images.all().map(({ id }) => id)]);
  return [...ids].toSorted((a, b) => b - a);
}

export function someImage(catalog: SimulatedCatalog, { image }: Operation): number | undefined {
  return someImages(catalog)[image];
}
