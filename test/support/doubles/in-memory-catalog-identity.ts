import { randomUUID } from 'node:crypto';
import type { CatalogIdentity } from '../../../src/domain/ports/records/catalog-identity.ts';

export class InMemoryCatalogIdentity implements CatalogIdentity {
  #id: string | undefined;

  constructor(private readonly makeId: () => string = randomUUID) {}

  async find(): Promise<string | undefined> {
    return this.#id;
  }

  async establish(): Promise<string> {
    this.#id ??= this.makeId();
    return this.#id;
  }

  async adopt(id: string): Promise<void> {
    this.#id = id;
  }
}
