import { CursorExpired } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type {
  Change,
  ChangeFeed,
  ChangePage,
  ChangePosition,
} from '../../domain/ports/records/change-feed.ts';
import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../domain/space/space.ts';
import type { ChangeCursors } from './change-cursors.ts';

/** The whole feed: for webhooks and commands. */
export const EVERY_SPACE = Symbol('every space');

/** Whose changes a reader may see. */
export type SeenSpace = Space | typeof EVERY_SPACE;

/** Every method throws `StorageUnavailable`. */
export class ReadChanges {
  constructor(
    private readonly feed: ChangeFeed,
    private readonly cursors: ChangeCursors,
    private readonly images: InSpaces<Pick<ImageRepository, 'findById'>>,
  ) {}

  /**
   * @param after a cursor, or `latest`; by default the start of the feed
   * @param limit of changes
   * @throws {CursorExpired}
   */
  async from(space: SeenSpace, after: string | undefined, limit: number): Promise<ChangePage> {
    return await this.page(space, await this.positionOf(after), limit);
  }

  /** @throws {CursorExpired} */
  async page(space: SeenSpace, after: ChangePosition | undefined, limit: number): Promise<ChangePage> {
    const feed = space === EVERY_SPACE ? this.feed : this.feed.in(space);
    const page = await feed.readPage(after, limit);
    if (page === undefined) throw new CursorExpired();
    return page;
  }

  /** Good in every space. */
  async latestCursor(): Promise<string> {
    return await this.cursorOf(await this.feed.latest());
  }

  async cursorOf(position: ChangePosition): Promise<string> {
    const [cursor = ''] = await this.cursors.of([position]);
    return cursor;
  }

  async cursorsOf(changes: readonly Change[]): Promise<readonly string[]> {
    return await this.cursors.of(changes.map(({ position }) => position));
  }

  /** Resolves to the records as they are now. */
  async imagesOf(space: Space, changes: readonly Change[]): Promise<ReadonlyMap<number, CatalogImage>> {
    const images = this.images.in(space);
    const ids = [...new Set(changes.map(({ imageId }) => imageId))];
    const found = await Promise.all(ids.map((id) => images.findById(id)));
    return new Map(found.flatMap((image) => (image === undefined ? [] : [[image.id, image] as const])));
  }

  private async positionOf(after: string | undefined): Promise<ChangePosition | undefined> {
    if (after === undefined) return undefined;
    return after === 'latest' ? await this.feed.latest() : await this.cursors.open(after);
  }
}
