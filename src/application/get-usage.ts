import type { SpaceUsage } from '../domain/ports/records/spaces.ts';
import type { Space, Usage } from '../domain/space/space.ts';

export class GetUsage {
  constructor(private readonly usage: SpaceUsage) {}

  /** @throws {StorageUnavailable} */
  async execute(space: Space): Promise<Usage> {
    return await this.usage.find(space);
  }
}
