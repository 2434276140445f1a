import type { CatalogOptions } from '../catalog-client.ts';
import { nodePlatform } from '../platform/node-platform.ts';
import type { UploadSource } from '../platform/platform.ts';
import { SpacesClient } from './spaces-client.ts';

export type { SpaceLimits, SpaceUsage } from './spaces-client.ts';

export class CatalogSpaces extends SpacesClient<UploadSource> {
  constructor(options: CatalogOptions) {
    super(options, nodePlatform);
  }
}
