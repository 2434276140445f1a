import { ImageNotFound } from '../../domain/errors.ts';
import type { Name } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { NameChange, Names, SetName as Result } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';

export class SetName {
  constructor(private readonly names: InSpaces<Names>) {}

  /**
   * @param imageId 1 or more; may be too large for the database
   * @throws {ImageNotFound | NameChanged | StorageUnavailable}
   */
  async execute(space: Space, name: Name, imageId: number, change: NameChange): Promise<Result> {
    if (!Number.isSafeInteger(imageId)) throw new ImageNotFound();
    return await this.names.in(space).set(name, imageId, change);
  }
}
