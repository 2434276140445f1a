import { BlobLost } from '../../../domain/errors.ts';
import type { ImageMetadata } from '../../../domain/image/image-metadata.ts';
import type {
  ExportFilter,
  ExportSource,
  SourceRecord,
} from '../../../domain/ports/commands/export-source.ts';
import type { AllImages, ImageImport, OwnedImage } from '../../../domain/ports/records/image-repository.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { OpenImageFile } from '../../files/open-image-file.ts';
import { imagePages } from '../image-pages.ts';

/** Bounds memory. */
const PAGE_SIZE = 100;

export interface ExportedRecords {
  readonly images: Pick<AllImages, 'findById' | 'findPage'> & Pick<ImageImport, 'findMetadata'>;
  /** `undefined` for all spaces. */
  readonly space: Space | undefined;
}

/** The storage of this machine's configuration, without a service. */
export class StorageExportSource implements ExportSource {
  /** @param view the record and its metadata as clients see them */
  constructor(
    private readonly catalog: ExportedRecords,
    private readonly openImageFile: OpenImageFile,
    private readonly view: (image: OwnedImage, metadata: ImageMetadata) => object,
  ) {}

  async *records({ since, createdBy }: ExportFilter): AsyncGenerator<SourceRecord, void, undefined> {
    const { images, space } = this.catalog;
    const after = since && (await this.lastIdUpTo(since));
    for await (const page of imagePages(images, PAGE_SIZE, after, space)) {
      const wanted = page.filter((image) => createdBy === undefined || image.createdBy === createdBy);
      const metadata = await images.findMetadata(wanted.map(({ id }) => id));
      for (const image of wanted) {
        const described = metadata.get(image.id);
        // A client has deleted the image meanwhile.
        if (described !== undefined) yield { ...(this.view(image, described) as SourceRecord) };
      }
    }
  }

  async open({ id }: SourceRecord): Promise<AsyncIterable<Uint8Array> | undefined> {
    const image = await this.catalog.images.findById(id);
    if (image === undefined) return undefined;
    try {
      return (await this.openImageFile.execute(image)).read();
    } catch (error) {
      // Bytes without the digest of the record: the image counts as damaged.
      if (error instanceof BlobLost) return nothing();
      throw error;
    }
  }

  /** Bisects: `createdAt` never decreases with the id. */
  private async lastIdUpTo(time: Date): Promise<number> {
    const { images, space } = this.catalog;
    const [newest] = await images.findPage({ space, order: 'desc', limit: 1 });
    let [last, end] = [0, newest?.id ?? 0];
    while (last < end) {
      const middle = Math.floor((last + end) / 2);
      const [next] = await images.findPage({ space, order: 'asc', after: middle, limit: 1 });
      if (next !== undefined && next.createdAt <= time) last = next.id;
      else end = middle;
    }
    return last;
  }
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {}
