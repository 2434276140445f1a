import type { MediaType } from './image/media-type.ts';

/** What can go wrong in the catalog, as clients see it. The HTTP adapter gives each code its status. */
export type CatalogErrorCode =
  | 'invalid_request'
  | 'file_required'
  | 'file_too_large'
  | 'unsupported_media_type'
  | 'invalid_image'
  | 'digest_mismatch'
  | 'image_not_found'
  | 'precondition_failed'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'storage_unavailable'
  | 'overloaded'
  | 'internal_error';

/** Every error that the domain, the use cases and the ports throw on purpose. Messages are safe to show to clients. */
export abstract class CatalogError extends Error {
  abstract readonly code: CatalogErrorCode;

  override get name(): string {
    return this.constructor.name;
  }
}

export class InvalidOriginalName extends CatalogError {
  readonly code = 'invalid_request';

  constructor(readonly maxBytes: number) {
    super(`The file name is longer than ${maxBytes} bytes`);
  }
}

export class FileRequired extends CatalogError {
  readonly code = 'file_required';

  constructor(reason = 'A file part named "file" is required') {
    super(reason);
  }
}

export class FileTooLarge extends CatalogError {
  readonly code = 'file_too_large';

  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`);
  }
}

export class UnsupportedMediaType extends CatalogError {
  readonly code = 'unsupported_media_type';

  constructor(reason = 'The file is neither a JPEG nor a PNG image') {
    super(reason);
  }
}

export class InvalidImage extends CatalogError {
  readonly code = 'invalid_image';

  constructor(
    readonly mediaType: MediaType,
    reason = 'is truncated or corrupt',
    options?: ErrorOptions,
  ) {
    super(`The ${mediaType} file ${reason}`, options);
  }
}

/** Decoding the image could cost more than one image may. Its bytes may be intact all the same. */
export class ImageBeyondLimits extends InvalidImage {}

export class DigestMismatch extends CatalogError {
  readonly code = 'digest_mismatch';

  constructor() {
    super('The SHA-256 of the received bytes differs from X-Content-SHA256');
  }
}

export class ImageNotFound extends CatalogError {
  readonly code = 'image_not_found';

  constructor(options?: ErrorOptions) {
    super('There is no image with this id', options);
  }
}

export class PreconditionFailed extends CatalogError {
  readonly code = 'precondition_failed';

  constructor() {
    super('The image does not match If-Match');
  }
}

/** The first upload under this key is still under way. */
export class IdempotencyKeyInUse extends CatalogError {
  readonly code = 'idempotency_key_in_use';
  readonly retryAfterSeconds = 1;

  constructor() {
    super('An upload with this Idempotency-Key is under way');
  }
}

/** The key was used for an upload of other bytes. */
export class IdempotencyKeyReused extends CatalogError {
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This Idempotency-Key was used for other bytes');
  }
}

/** The database or the blob store cannot be reached, is full or is read-only. The cause is for the log. */
export class StorageUnavailable extends CatalogError {
  readonly code = 'storage_unavailable';
  readonly retryAfterSeconds = 5;

  constructor(options?: ErrorOptions) {
    super('The storage is not available at the moment', options);
  }
}

/** More work is under way than the service takes on at once. */
export class Overloaded extends CatalogError {
  readonly code = 'overloaded';
  readonly retryAfterSeconds = 1;

  constructor() {
    super('The service is busy; try again in a moment');
  }
}

/** An image cannot be recorded as it is: another one bears its id or its UUID. */
export class RecordConflict extends CatalogError {
  readonly code = 'internal_error';

  constructor(readonly imageIds: readonly number[]) {
    super(`Other images bear ids or UUIDs of these: ${imageIds.join(', ')}`);
  }
}

/** A record whose bytes are lost or damaged: not the client's fault, and the operator must hear of it. */
export class BlobLost extends CatalogError {
  readonly code = 'internal_error';

  constructor(
    readonly imageId: number,
    readonly blobKey: string,
    reason: 'missing' | 'of another size',
  ) {
    super(`The bytes of this image are ${reason}`);
  }
}
