import type { LookUpImages } from '../../../application/find/look-up-images.ts';
import type { Handler } from '../openapi/operation.ts';
import type { lookUpImagesOperation } from './listing-operations.ts';

export function lookUpHandler(lookUpImages: LookUpImages): Handler<typeof lookUpImagesOperation> {
  return async ({ space, body }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: Object.fromEntries(await lookUpImages.execute(space, body().sha256)),
  });
}
