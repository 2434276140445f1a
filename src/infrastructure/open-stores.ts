import type { OpenStore, StoreLocation } from '../domain/ports/bytes/store-location.ts';

/** Blobs and renditions at one location share its connections. */
export class OpenStores {
  private readonly opened = new Map<string, OpenStore>();

  at(location: StoreLocation): OpenStore {
    const name = JSON.stringify(location);
    const store = this.opened.get(name) ?? location.open();
    this.opened.set(name, store);
    return store;
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map((store) => store.close()));
  }
}
