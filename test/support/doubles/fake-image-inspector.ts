import { InvalidImage } from '../../../src/domain/errors.ts';
import { NOTHING_EMBEDDED } from '../../../src/domain/image/image-metadata.ts';
import type { MediaType } from '../../../src/domain/image/media-type.ts';
import type { StagedFile } from '../../../src/domain/ports/bytes/staging-area.ts';
import type { HeldPixels } from '../../../src/domain/ports/pictures/held-pixels.ts';
import type {
  ImageFacts,
  ImageInspector,
  Inspection,
  InspectionRequester,
} from '../../../src/domain/ports/pictures/image-inspector.ts';
import { collect } from '../fixtures/bytes.ts';

/** A file with these bytes anywhere in it does not decode. */
export const CORRUPT_MARKER = 'CORRUPT';

export const FAKE_FACTS: ImageFacts = {
  width: 640,
  height: 480,
  frames: 1,
  thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
  hashes: {
    dHash: [0x1234, 0x5678, 0x9abc, 0xdef0],
    pHash: [0x0fed, 0xcba9, 0x8765, 0x4321],
    meanColour: [10, 20, 30],
  },
};

/** Accepts every file as an image with the given facts, unless its bytes contain `CORRUPT_MARKER`. */
export class FakeImageInspector implements ImageInspector {
  /** Of each inspection, in their order. */
  readonly requesters: InspectionRequester[] = [];

  constructor(
    private readonly facts: ImageFacts = FAKE_FACTS,
    private readonly pixels?: HeldPixels,
  ) {}

  async inspect(file: StagedFile, mediaType: MediaType, requester: InspectionRequester): Promise<Inspection> {
    this.requesters.push(requester);
    const bytes = Buffer.from(await collect(file.read()));
    if (bytes.includes(CORRUPT_MARKER)) throw new InvalidImage(mediaType);
    return { facts: this.facts, embedded: NOTHING_EMBEDDED, pixels: this.pixels };
  }
}
