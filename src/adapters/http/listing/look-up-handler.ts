import type { LookUpImages } from '../../../application/look-up-images.ts';
import type { Handler } from '../openapi/operation.ts';
import type { Operations } from '../openapi/operations.ts';

export function lookUpHandler(lookUpImages: LookUpImages): Handler<Operations['lookUpImages']> {
  return async ({ body }) => ({
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: Object.fromEntries(await lookUpImages.execute(body().sha256)),
  });
}
