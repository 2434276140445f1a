import { CursorExpired } from '../../domain/errors.ts';
import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { CatalogIdentity } from '../../domain/ports/records/catalog-identity.ts';
import type { ChangePosition } from '../../domain/ports/records/change-feed.ts';

/** Every cursor of the feed, and the word `latest`. */
export const CHANGE_CURSOR = /^[A-Za-z0-9._~-]{1,200}$/;

/** Positions in the feed as clients see them. Every method throws `StorageUnavailable`. */
export class ChangeCursors {
  private catalog: string | undefined;

  constructor(
    private readonly identity: CatalogIdentity,
    private readonly seal: Pick<AddressSeal, 'sealPositions' | 'openPosition'>,
  ) {}

  /** In the order of the positions. */
  async of(positions: readonly ChangePosition[]): Promise<readonly string[]> {
    return this.seal.sealPositions(await this.catalogId(), positions);
  }

  /** @throws {CursorExpired} if it is none of this catalog */
  async open(cursor: string): Promise<ChangePosition> {
    const position = this.seal.openPosition(await this.catalogId(), cursor);
    if (position === undefined) throw new CursorExpired();
    return position;
  }

  /** A catalog that has never been written to may have none. */
  private async catalogId(): Promise<string> {
    this.catalog ??= await this.identity.find();
    return this.catalog ?? '';
  }
}
