import { foundImage } from '../../domain/image/found-image.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { Author } from '../../domain/ports/records/author.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Trash } from '../../domain/ports/records/trash.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/caller.ts';
import type { Edits } from '../edits/edits.ts';

export class RestoreImage {
  constructor(
    private readonly trash: InSpaces<Pick<Trash, 'restore'>>,
    private readonly edits: Edits,
  ) {}

  /** @throws {ImageNotFound | TooManyChanges | Overloaded | StorageUnavailable} */
  async execute(space: Space, id: number, caller: Caller, author?: Author): Promise<CatalogImage> {
    const turns = this.edits.turnsOf(caller, 'large');
    return foundImage(await turns.run(() => this.trash.in(space).restore(id, author)));
  }
}
