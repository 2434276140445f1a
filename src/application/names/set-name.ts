import type { Name } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { SetName as NameSet, NameSetting, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { Edits } from '../edits/edits.ts';

export class SetName {
  constructor(
    private readonly names: InSpaces<Names>,
    private readonly edits: Edits,
  ) {}

  /** @throws {ImageNotFound | NameChanged | PublishingRefused | QuotaExceeded | TooManyChanges | Overloaded | StorageUnavailable} */
  async execute(
    space: Space,
    name: Name,
    imageId: number,
    change: NameSetting,
    caller: Caller,
  ): Promise<NameSet> {
    return await this.edits
      .turnsOf(caller, 'small')
      .run(() => this.names.in(space).set(name, imageId, change));
  }
}
