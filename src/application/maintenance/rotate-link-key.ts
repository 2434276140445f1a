import { validKeys } from '../../domain/link/valid-keys.ts';
import type { AddressSeal } from '../../domain/ports/process/address-seal.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { LinkKeyRotation } from '../../domain/ports/records/link-keys.ts';

/** Running services sign with the new key within a second: see `LinkKeyRing`. */
export class RotateLinkKey {
  constructor(
    private readonly keys: LinkKeyRotation,
    private readonly seal: Pick<AddressSeal, 'makeSecret'>,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves to the number of former keys whose links are still good.
   *
   * @param revoke drops the former keys, and with them every link that they have signed
   * @throws {StorageUnavailable}
   */
  async execute({ revoke }: { readonly revoke: boolean }): Promise<number> {
    const createdAt = this.clock.now();
    const former = await this.keys.findAll();
    const valid = validKeys(former, createdAt);
    const outdated = former.filter((key) => !valid.includes(key)).map(({ generation }) => generation);
    const key = { secret: this.seal.makeSecret(), createdAt };
    await this.keys.rotate(key, revoke ? 'all others' : outdated);
    return revoke ? 0 : valid.length;
  }
}
