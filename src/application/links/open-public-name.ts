import { NameNotFound } from '../../domain/errors.ts';
import { parsePublicAddress } from '../../domain/name/public-address.ts';
import type { AllNames, FoundImage } from '../../domain/ports/records/names.ts';

/** Reads the name at every request: no process remembers that a name is public. */
export class OpenPublicName {
  constructor(private readonly names: Pick<AllNames, 'findPublic'>) {}

  /**
   * Responds alike to names that are not public, were removed, or never existed, and to other spellings, so that strangers learn of public
   * names alone.
   *
   * @throws {NameNotFound | StorageUnavailable}
   */
  async execute(number: string, name: string): Promise<FoundImage> {
    const address = parsePublicAddress(number, name);
    const found = address && (await this.names.findPublic(address.number));
    if (found === undefined || found.name !== address?.name) throw new NameNotFound();
    return found;
  }
}
