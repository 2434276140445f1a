import type { NewImage } from '../../src/domain/image/image.ts';
import { SequentialUuids } from './sequential-uuids.ts';

const uuids = new SequentialUuids();

/** A new image. A test states only the fields that matter to it. */
export function newImage(stated: Partial<NewImage> = {}): NewImage {
  return {
    uuid: uuids.next(),
    originalName: 'cat.jpg',
    mediaType: 'image/jpeg',
    size: 12_345,
    width: 640,
    height: 480,
    sha256: 'a'.repeat(64),
    thumbhash: '1QcSHQRnh493V4dIh4eXh1h4kJUI',
    ...stated,
  };
}
