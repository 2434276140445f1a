import { fsync } from 'node:fs';

export async function syncDescriptor(descriptor: number): Promise<void> {
  await new Promise<void>((done, reject) => {
    fsync(descriptor, (error) => {
      if (error === null) done();
      else reject(error);
    });
  });
}
