import * as z from 'zod';
import { TITLE_MAX_LENGTH } from '../../../domain/image/image-metadata.ts';
import { MAX_TAGS } from '../../../domain/image/words/tags.ts';

/** Fields that records and metadata have. */

const TAKEN_AT = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)?$';

export const takenAt = z.string().nullable().meta({
  pattern: TAKEN_AT,
  description:
    'When the image was taken: RFC 3339 with milliseconds, without an offset if the offset of the camera is unknown.',
});

export const title = z.string().nullable().meta({ maxLength: TITLE_MAX_LENGTH });

export const tags = z
  .array(z.string())
  .meta({ maxItems: MAX_TAGS, description: 'Without twins, sorted without regard to case and accents.' });
