import { expect } from 'chai';
import { errorResponse } from '../../src/adapters/http/errors/error-response.ts';
import {
  BlobLost,
  type DomainError,
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  ImageChanged,
  ImageNotFound,
  InvalidOriginalName,
  LinkExpired,
  LinkInvalid,
  UnsupportedMediaType,
} from '../../src/domain/errors.ts';

const RESPONSES: ReadonlyArray<readonly [DomainError, number, string, string]> = [
  [new InvalidOriginalName(255), 400, 'invalid_request', 'The file name is longer than 255 bytes'],
  [new LinkInvalid(), 403, 'link_invalid', 'This link is not valid'],
  [new LinkExpired(), 410, 'link_expired', 'This link has expired'],
  [new ImageNotFound(), 404, 'image_not_found', 'There is no image with this id'],
  [
    new IdempotencyKeyInUse(),
    409,
    'idempotency_key_in_use',
    'An upload with this idempotency key or ticket is under way',
  ],
  [new ImageChanged(), 412, 'precondition_failed', 'The image does not match If-Match'],
  [
    new UnsupportedMediaType('JPEG, PNG or WebP'),
    415,
    'unsupported_media_type',
    'The file is not a JPEG, PNG or WebP image',
  ],
  [
    new IdempotencyKeyReused(),
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was used for other bytes',
  ],
  [new BlobLost(7, 'some-uuid', 'missing'), 500, 'internal_error', 'The bytes of this image are missing'],
];

describe('errorResponse', () => {
  for (const [error, status, code, message] of RESPONSES) {
    it(`maps ${error.name} to ${status} ${code}`, () => {
      const response = errorResponse(error);

      expect([response.status, response.body]).to.deep.equal([status, { code, message }]);
    });
  }
});
