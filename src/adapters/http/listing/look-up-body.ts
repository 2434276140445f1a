import * as z from 'zod';

const MAX_DIGESTS = 1000;
const DIGESTS = `an array of 1 to ${MAX_DIGESTS} digests`;
const DIGEST = '64 hexadecimal digits';

export const lookUpBody = z.strictObject({
  sha256: z
    .array(
      z
        .string(DIGEST)
        .regex(/^[0-9a-fA-F]{64}$/, DIGEST)
        .toLowerCase(),
      DIGESTS,
    )
    .min(1, DIGESTS)
    .max(MAX_DIGESTS, DIGESTS)
    .describe('SHA-256 digests in hex, in either case.'),
});
