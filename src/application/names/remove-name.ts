import type { Name } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { NameChange, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { Edits } from '../edits/edits.ts';

export class RemoveName {
  constructor(
    private readonly names: InSpaces<Names>,
    private readonly edits: Edits,
  ) {}

  /** @throws {NameNotFound | NameChanged | Overloaded | StorageUnavailable} */
  async execute(space: Space, name: Name, change: NameChange, caller: Caller): Promise<void> {
    await this.edits.turnsOf(caller, 'small').run(() => this.names.in(space).remove(name, change));
  }
}
