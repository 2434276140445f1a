import { NameNotFound } from '../../domain/errors.ts';
import type { Name } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { FoundImage, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';

/** A name, and the image that it points to now. */
export class GetName {
  constructor(private readonly names: InSpaces<Names>) {}

  /** @throws {NameNotFound | StorageUnavailable} */
  async execute(space: Space, name: Name): Promise<FoundImage> {
    const found = await this.names.in(space).find(name);
    if (found === undefined) throw new NameNotFound();
    return found;
  }
}
