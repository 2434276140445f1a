import { v4 } from 'uuid';
import type { BlobKey } from '../../domain/image/blob-key.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';

export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }
}

export class RandomUuids implements UuidGenerator {
  next(): BlobKey {
    return v4() as BlobKey;
  }
}
