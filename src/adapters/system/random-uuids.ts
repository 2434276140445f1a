import { v4 } from 'uuid';
import type { UuidGenerator } from '../../domain/ports/uuid-generator.ts';

export class RandomUuids implements UuidGenerator {
  next(): string {
    return v4();
  }
}
