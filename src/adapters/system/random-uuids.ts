import { v4 } from 'uuid';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';

export class RandomUuids implements UuidGenerator {
  next(): BlobKey {
    return v4() as BlobKey;
  }
}
