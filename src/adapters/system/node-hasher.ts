import { createHash } from 'node:crypto';
import type { Hasher } from '../../domain/ports/process/hasher.ts';

export class NodeHasher implements Hasher {
  async sha256(bytes: AsyncIterable<Uint8Array>): Promise<string> {
    const hash = createHash('sha256');
    for await (const chunk of bytes) hash.update(chunk);
    return hash.digest('hex');
  }
}
