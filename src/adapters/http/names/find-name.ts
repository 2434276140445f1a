import { NameNotFound } from '../../../domain/errors.ts';
import type { Name } from '../../../domain/name/name.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { FoundImage, Names } from '../../../domain/ports/records/names.ts';
import type { Space } from '../../../domain/space/space.ts';

/** @throws {NameNotFound | StorageUnavailable} */
export async function findName(names: InSpaces<Names>, space: Space, name: Name): Promise<FoundImage> {
  const found = await names.in(space).find(name);
  if (found === undefined) throw new NameNotFound();
  return found;
}
