import * as z from 'zod';
import { anyImageId, imageIds } from '../request/image-ids.ts';

const MAX_ARCHIVED = 5_000;

export const archiveBody = z.strictObject({ ids: imageIds(anyImageId(), MAX_ARCHIVED) });
