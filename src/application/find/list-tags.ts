import { fold } from '../../domain/image/words/fold.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { TagCount, TagIndex, TagQuery } from '../../domain/ports/records/tag-index.ts';
import type { Space } from '../../domain/space/space.ts';

export class ListTags {
  constructor(private readonly tags: InSpaces<TagIndex>) {}

  /** @throws {StorageUnavailable} */
  async execute(space: Space, { prefix, order, limit }: TagQuery): Promise<readonly TagCount[]> {
    return await this.tags.in(space).list({ prefix: fold(prefix), order, limit });
  }
}
