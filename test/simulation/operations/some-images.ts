import type { Space } from '../../../src/domain/space/space.ts';
import { spaceOf } from '../ledger.ts';
import type { Operation } from '../schedule.ts';
import type { SimulatedCatalog } from '../simulated-catalog.ts';

/** The images of a space that a client can know, newest first. */
export function someImages({ storage, ledger }: SimulatedCatalog, space: Space): readonly number[] {
  const stored = storage.images.all().filter((image) => image.space === space);
  for (const { id } of stored) ledger.belongsTo(id, space);
  const ids = new Set([...ledger.idsIn(space), ...stored.map(({ id }) => id)]);
  return [...ids].toSorted((a, b) => b - a);
}

export function someImage(catalog: SimulatedCatalog, operation: Operation): number | undefined {
  return someImages(catalog, spaceOf(operation))[operation.image];
}
