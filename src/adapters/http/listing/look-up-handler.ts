import type { Context } from 'koa';
import { z } from 'zod';
import type { LookUpImages } from '../../../application/look-up-images.ts';
import { parseJson } from '../json-body/parse-json.ts';
import { receiveJson } from '../json-body/receive-json.ts';
import { readNoQuery } from '../read-query.ts';

const MAX_BODY_BYTES = 256 * 1024;
const MAX_DIGESTS = 1000;
const DIGESTS = `an array of 1 to ${MAX_DIGESTS} digests`;

const lookUpBody = z.strictObject({
  sha256: z
    .array(
      z
        .string('64 hexadecimal digits')
        .regex(/^[0-9a-f]{64}$/i, '64 hexadecimal digits')
        .toLowerCase(),
      DIGESTS,
    )
    .min(1, DIGESTS)
    .max(MAX_DIGESTS, DIGESTS),
});

/** @param stallTimeoutMs how long the body may stop coming */
export function lookUpHandler(
  lookUpImages: LookUpImages,
  stallTimeoutMs: number,
): (ctx: Context) => Promise<void> {
  const receive = receiveJson({ mediaType: 'application/json', maxBytes: MAX_BODY_BYTES, stallTimeoutMs });
  return async (ctx) => {
    readNoQuery(ctx);
    const { sha256 } = parseJson(await receive(ctx), lookUpBody);
    ctx.set('Cache-Control', 'no-store');
    ctx.body = Object.fromEntries(await lookUpImages.execute(sha256));
  };
}
