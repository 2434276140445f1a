import * as z from 'zod';
import {
  DEFAULT_DISTANCE,
  DEFAULT_SIMILAR,
  MAX_DISTANCE,
  MAX_SIMILAR,
} from '../../../application/find/find-similar.ts';
import { wholeNumber } from '../request/read-query.ts';

export const similarQuery = z.strictObject({
  distance: wholeNumber(
    0,
    MAX_DISTANCE,
    'The bits of 64 in which the perceptual hashes may differ: 0 finds nearly equal images, 10 most edited copies, 16 also other images.',
    DEFAULT_DISTANCE,
  ),
  limit: wholeNumber(1, MAX_SIMILAR, 'The images at most.', DEFAULT_SIMILAR),
});
