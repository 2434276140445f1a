import type { CatalogOptions } from '../catalog-client.ts';
import { browserPlatform } from '../platform/browser-platform.ts';
import { SpacesClient } from './spaces-client.ts';

export type { SpaceLimits, SpaceUsage } from './spaces-client.ts';

export class CatalogSpaces extends SpacesClient<Blob> {
  constructor(options: CatalogOptions) {
    super(options, browserPlatform);
  }
}
