import type { LinkKey, LinkKeyRecords, NewLinkKey } from '../../../src/domain/ports/records/link-keys.ts';

export class InMemoryLinkKeys implements LinkKeyRecords {
  /** How often they were read. */
  reads = 0;
  /** Newest first. */
  #keys: readonly LinkKey[] = [];

  async findAll(): Promise<readonly LinkKey[]> {
    this.reads += 1;
    return this.#keys;
  }

  async addFirst(key: NewLinkKey): Promise<void> {
    if (this.#keys.length === 0) this.#keys = [{ ...key, generation: 1 }];
  }

  async rotate(key: NewLinkKey, removed: 'all others' | readonly number[]): Promise<void> {
    const kept =
      removed === 'all others' ? [] : this.#keys.filter(({ generation }) => !removed.includes(generation));
    this.#keys = [{ ...key, generation: (this.#keys[0]?.generation ?? 0) + 1 }, ...kept];
  }

  all(): readonly LinkKey[] {
    return this.#keys;
  }

  replaceAll(keys: readonly LinkKey[]): void {
    this.#keys = keys;
  }
}
