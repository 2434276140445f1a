import { fold } from '../../domain/image/words/fold.ts';
import type { TagCount, TagIndex, TagQuery } from '../../domain/ports/records/tag-index.ts';

export class ListTags {
  constructor(private readonly tags: TagIndex) {}

  /** @throws {StorageUnavailable} */
  async execute({ prefix, order, limit }: TagQuery): Promise<readonly TagCount[]> {
    return await this.tags.list({ prefix: fold(prefix), order, limit });
  }
}
