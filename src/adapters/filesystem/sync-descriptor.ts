import { fsync } from 'node:fs';
import { promisify } from 'node:util';

export async function syncDescriptor(descriptor: number): Promise<void> {
  await promisify(fsync)(descriptor);
}
