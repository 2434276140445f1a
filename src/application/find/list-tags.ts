import { fold } from '../../domain/image/words/fold.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { TagCount, TagIndex, TagQuery } from '../../domain/ports/records/tag-index.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Caller } from '../concurrency/fair-queue.ts';
import type { Searches } from './search-shares.ts';

export class ListTags {
  constructor(
    private readonly tags: InSpaces<TagIndex>,
    private readonly searches: Searches,
  ) {}

  /** @throws {Overloaded | StorageUnavailable} */
  async execute(
    space: Space,
    { prefix, order, limit }: TagQuery,
    caller: Caller,
  ): Promise<readonly TagCount[]> {
    const query = { prefix: fold(prefix), order, limit };
    return await this.tags.in(space).list(query, this.searches.turnsOf(caller, 'page'));
  }
}
