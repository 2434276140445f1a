import * as z from 'zod';
import type { StoreLocation } from '../../domain/ports/bytes/store-location.ts';
import { FileStoreLocation } from './file-store-location.ts';

const SHAPE = 'file:<path>, as in file:./data/blobs';

/** `file:./data/blobs` is relative to the working directory, `file:///var/lib/x` and `file:/var/lib/x` are not. */
export const filePath = z
  .string()
  .regex(/^file:(?!\/\/[^/])./, `must be ${SHAPE}`)
  .transform((url) => url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''));

export const FILE_STORE = {
  schemes: ['file'],
  shape: SHAPE,
  url: filePath.transform((path): StoreLocation => new FileStoreLocation(path)),
};
