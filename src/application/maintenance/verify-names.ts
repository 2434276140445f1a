import type { AllImages } from '../../domain/ports/records/image-repository.ts';
import type { NameRecords, OwnedName } from '../../domain/ports/records/names.ts';
import type { Finding } from './verify-catalog.ts';

const BATCH_SIZE = 500;

/** Works in bounded memory while the service runs. Changes nothing. */
export class VerifyNames {
  constructor(
    private readonly names: Pick<NameRecords, 'findPage' | 'findByNumber'>,
    private readonly images: Pick<AllImages, 'findById'>,
  ) {}

  /** Names that point to no image of their space. */
  async *dangling(stopped?: AbortSignal): AsyncGenerator<Finding, void, undefined> {
    for (let after = 0, page: readonly OwnedName[] | undefined; page === undefined || page.length > 0; ) {
      stopped?.throwIfAborted();
      page = await this.names.findPage(after, BATCH_SIZE);
      const findings = await Promise.all(page.map((name) => this.check(name)));
      yield* findings.filter((finding) => finding !== undefined);
      after = page.at(-1)?.number ?? after;
    }
  }

  private async check({ name, number, imageId, space }: OwnedName): Promise<Finding | undefined> {
    if (imageId === undefined) return undefined;
    const image = await this.images.findById(imageId);
    if (image?.space === space) return undefined;
    // A client may have deleted the image, and the name with it, or moved the name.
    const now = await this.names.findByNumber(number);
    if (now?.imageId !== imageId) return undefined;
    const detail = image === undefined ? 'the image is not there' : 'the image is in another space';
    return { problem: 'dangling', imageId, space, name, detail };
  }
}
