import type { Name } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { NameChange, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';

/** The image stays. */
export class RemoveName {
  constructor(private readonly names: InSpaces<Names>) {}

  /** @throws {NameNotFound | NameChanged | StorageUnavailable} */
  async execute(space: Space, name: Name, change: NameChange): Promise<void> {
    await this.names.in(space).remove(name, change);
  }
}
