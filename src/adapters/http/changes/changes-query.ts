import * as z from 'zod';
import { CHANGE_CURSOR } from '../../../application/changes/change-cursors.ts';
import { wholeNumber } from '../request/read-query.ts';

const MAX_PAGE = 1000;
const MAX_WAIT_SECONDS = 30;

export const changesQuery = z.strictObject({
  after: z
    .string()
    .regex(CHANGE_CURSOR, 'a cursor of the feed of changes, or latest')
    .optional()
    .describe(
      'A cursor, or `latest`: only what comes. Without it, the feed begins with the oldest change that is kept.',
    ),
  limit: wholeNumber(
    1,
    MAX_PAGE,
    'The changes of a page at most. A page ends earlier, with `more`, when its JSON would pass 4 MiB. Not for a stream.',
    100,
  ),
  wait: wholeNumber(
    0,
    MAX_WAIT_SECONDS,
    'For how many seconds a request that has nothing to report waits for a change. Not for a stream.',
    0,
  ),
  include: z
    .enum(['image'], 'image')
    .optional()
    .describe('`image` adds the record, as it is now. Not for a stream.'),
});

export type ChangesQuery = z.output<typeof changesQuery>;
