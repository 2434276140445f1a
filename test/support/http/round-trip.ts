import { createHash } from 'node:crypto';
import { noisyPng } from '../fixtures/pictures.ts';
import type { TestService } from './test-service.ts';

export interface RoundTrip {
  readonly picture: Buffer;
  /** The first one is refused. */
  readonly tokens: readonly string[];
  /** What `test/client/programs/round-trip.mjs` must find. */
  readonly expected: object;
}

export async function roundTripWith(service: TestService): Promise<RoundTrip> {
  const picture = await noisyPng(200, 150);
  return {
    picture,
    tokens: [service.token({ exp: 1 }), service.token()],
    expected: {
      tokensLeft: 0,
      name: 'Zoë "cat".png',
      sha256: createHash('sha256').update(picture).digest('hex'),
      listed: true,
      lastProgress: [picture.length, picture.length],
      originalSize: picture.length,
      range: 'PNG',
      rendition: 'image/webp',
      placeholder: true,
      refused: [415, 'unsupported_media_type'],
      missing: [404, 'image_not_found'],
      found: true,
      srcset: 7,
    },
  };
}
