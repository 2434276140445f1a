import type { BlobKey } from '../../../src/domain/image/blob-key.ts';
import type { UuidGenerator } from '../../../src/domain/ports/process/uuid-generator.ts';

/** `00000000-0000-4000-8000-000000000001` and upwards: well-formed version 4 UUIDs that a test can predict. */
export class SequentialUuids implements UuidGenerator {
  #last = 0;

  next(): BlobKey {
    this.#last += 1;
    return `00000000-0000-4000-8000-${this.#last.toString(16).padStart(12, '0')}`;
  }
}
