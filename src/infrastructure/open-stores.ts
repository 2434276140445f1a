import type { OpenStore, StoreLocation } from '../domain/ports/bytes/store-location.ts';

/** Each is opened when it is first used. Blobs and renditions at one location share its connections. */
export class OpenStores {
  private readonly opened = new Map<string, OpenStore>();

  constructor(
    private readonly blobLocation: StoreLocation,
    private readonly cacheLocation: StoreLocation,
  ) {}

  get blobs(): OpenStore {
    return this.at(this.blobLocation);
  }

  get cache(): OpenStore {
    return this.at(this.cacheLocation);
  }

  async close(): Promise<void> {
    await Promise.all([...this.opened.values()].map((store) => store.close()));
  }

  private at(location: StoreLocation): OpenStore {
    const name = JSON.stringify(location);
    const store = this.opened.get(name) ?? location.open();
    this.opened.set(name, store);
    return store;
  }
}
