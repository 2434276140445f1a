import type { Name, NamedImage } from '../../domain/name/name.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { NameListQuery, Names } from '../../domain/ports/records/names.ts';
import type { Space } from '../../domain/space/space.ts';

const BATCH_SIZE = 500;

export interface NamePage {
  readonly names: readonly NamedImage[];
  /** Behind this name there are more. */
  readonly next: Name | undefined;
}

export class ListNames {
  constructor(private readonly names: InSpaces<Names>) {}

  /** @throws {StorageUnavailable} */
  async page(space: Space, query: NameListQuery): Promise<NamePage> {
    const found = await this.names.in(space).list({ ...query, limit: query.limit + 1 });
    const names = found.slice(0, query.limit);
    return { names, next: found.length > query.limit ? names.at(-1)?.name : undefined };
  }

  /** All of them; at least one batch. */
  async *batches(
    space: Space,
    { after, ...query }: Omit<NameListQuery, 'limit'>,
  ): AsyncGenerator<readonly NamedImage[], void, undefined> {
    for (let page: NamePage | undefined; page === undefined || page.next !== undefined; ) {
      page = await this.page(space, { ...query, after: page?.next ?? after, limit: BATCH_SIZE });
      yield page.names;
    }
  }
}
