import { z } from 'zod';
import { anyImageId, imageIds } from '../request/image-ids.ts';

export const MAX_ARCHIVE_BYTES = 256 * 1024;

const MAX_ARCHIVED = 5_000;

export const archiveBody = z.strictObject({ ids: imageIds(anyImageId(), MAX_ARCHIVED) });
