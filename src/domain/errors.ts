import type { MediaType } from './image/media-type.ts';

export type DomainErrorCode =
  | 'invalid_original_name'
  | 'file_too_large'
  | 'unsupported_media_type'
  | 'invalid_image'
  | 'image_not_found'
  | 'image_changed'
  | 'invalid_metadata'
  | 'metadata_changed'
  | 'too_much_metadata'
  | 'invalid_place'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'link_invalid'
  | 'link_expired'
  | 'ticket_invalid'
  | 'ticket_expired'
  | 'ticket_used'
  | 'cursor_expired'
  | 'storage_unavailable'
  | 'catalog_too_new'
  | 'overloaded'
  | 'name_not_found'
  | 'name_changed'
  | 'quota_exceeded'
  | 'space_in_use'
  | 'record_conflict'
  | 'blob_lost';

/** Messages are safe to show to clients. */
export abstract class DomainError extends Error {
  abstract readonly code: DomainErrorCode;

  override get name(): string {
    return this.constructor.name;
  }
}

export class InvalidOriginalName extends DomainError {
  readonly code = 'invalid_original_name';

  constructor(readonly maxBytes: number) {
    super(`The file name is longer than ${maxBytes} bytes`);
  }
}

export class FileTooLarge extends DomainError {
  readonly code = 'file_too_large';

  constructor(readonly maxBytes: number) {
    super(`The file is larger than ${maxBytes} bytes`);
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly code = 'unsupported_media_type';

  /** @param accepted as in "JPEG or PNG" */
  constructor(accepted: string) {
    super(`The file is not a ${accepted} image`);
  }
}

export class InvalidImage extends DomainError {
  readonly code = 'invalid_image';

  constructor(
    readonly mediaType: MediaType,
    reason = 'is truncated or corrupt',
    options?: ErrorOptions,
  ) {
    super(`The ${mediaType} file ${reason}`, options);
  }
}

/** Decoding could cost more than one image may. The bytes may be intact. */
export class ImageBeyondLimits extends InvalidImage {}

export class ImageNotFound extends DomainError {
  readonly code = 'image_not_found';

  constructor(message = 'There is no image with this id') {
    super(message);
  }
}

export class ImageChanged extends DomainError {
  readonly code = 'image_changed';

  constructor() {
    super('The image is not the expected one');
  }
}

/** A field of a patch or of an edit of many images. */
export type MetadataField =
  | 'title'
  | 'description'
  | 'tags'
  | 'takenAt'
  | 'focus'
  | 'addedTags'
  | 'removedTags'
  | 'shiftTaken'
  | 'pageTitle';

export class InvalidMetadata extends DomainError {
  readonly code = 'invalid_metadata';

  constructor(
    readonly field: MetadataField,
    readonly rule: string,
  ) {
    super(`Field "${field}" ${rule}`);
  }
}

export class MetadataChanged extends DomainError {
  readonly code = 'metadata_changed';

  constructor() {
    super('The metadata is not of the expected version');
  }
}

/** No page of this catalog ends there. */
export class InvalidPlace extends DomainError {
  readonly code = 'invalid_place';

  constructor() {
    super('There is no such place in this catalog');
  }
}

/** One request would write too much metadata to many images. */
export class TooMuchMetadata extends DomainError {
  readonly code = 'too_much_metadata';

  constructor(readonly maxWords: number) {
    super(`More than ${maxWords} words of images would come or go; change fewer images at a time`);
  }
}

export class IdempotencyKeyInUse extends DomainError {
  readonly code = 'idempotency_key_in_use';
  readonly retryAfterSeconds = 1;

  constructor() {
    super('An upload with this idempotency key or ticket is under way');
  }
}

/** The key was used for an upload of other bytes. */
export class IdempotencyKeyReused extends DomainError {
  readonly code = 'idempotency_key_reused';

  constructor() {
    super('This idempotency key was used for other bytes');
  }
}

/** Says nothing of what is wrong with it. */
export class LinkInvalid extends DomainError {
  readonly code = 'link_invalid';

  constructor() {
    super('This link is not valid');
  }
}

export class LinkExpired extends DomainError {
  readonly code = 'link_expired';

  constructor() {
    super('This link has expired');
  }
}

/** Says nothing of what is wrong with it. */
export class TicketInvalid extends DomainError {
  readonly code = 'ticket_invalid';

  constructor() {
    super('This ticket is not valid');
  }
}

export class TicketExpired extends DomainError {
  readonly code = 'ticket_expired';

  constructor() {
    super('This ticket has expired');
  }
}

/** For other bytes. */
export class TicketUsed extends DomainError {
  readonly code = 'ticket_used';

  constructor() {
    super('This ticket was used for another file');
  }
}

/** The catalog does not hold the change: it was removed, or the catalog was restored. */
export class CursorExpired extends DomainError {
  readonly code = 'cursor_expired';

  constructor() {
    super('The feed of changes does not reach back to this cursor; start again from a listing');
  }
}

/** Unreachable, full or read-only database or blob store. The cause is for the log. */
export class StorageUnavailable extends DomainError {
  readonly code = 'storage_unavailable';
  readonly retryAfterSeconds = 5;

  constructor(options?: ErrorOptions) {
    super('The storage is not available at the moment', options);
  }
}

/** A later version of the service has made the tables into something that this one would not understand. */
export class CatalogTooNew extends DomainError {
  readonly code = 'catalog_too_new';
  readonly retryAfterSeconds = 5;

  /** @param version the oldest that can use the catalog */
  constructor(readonly version: string) {
    super(`this catalog was migrated by a later version (${version}); use that version, or restore a backup`);
  }
}

/** The queue or the bound that has refused work. For the log alone. */
export type OverloadReason =
  | 'uploads'
  | 'searches'
  | 'edits'
  | 'archives'
  | 'change_streams'
  | 'renditions'
  | 'decoder_wait'
  | 'decoder_ended'
  | 'decode_memory'
  | 'moving_name'
  | 'time';

export class Overloaded extends DomainError {
  readonly code = 'overloaded';
  readonly retryAfterSeconds = 1;

  constructor(
    readonly reason: OverloadReason,
    options?: ErrorOptions,
  ) {
    super('The service is busy; try again in a moment', options);
  }
}

export class NameNotFound extends DomainError {
  readonly code = 'name_not_found';

  constructor() {
    super('There is no such name');
  }
}

export class NameChanged extends DomainError {
  readonly code = 'name_changed';

  constructor() {
    super('The name is not of the expected version');
  }
}

/** A space or an image may not hold as much. */
export class QuotaExceeded extends DomainError {
  readonly code = 'quota_exceeded';

  constructor(message = 'The space has no room for this image') {
    super(message);
  }
}

/** There is something in a space that should have nothing. */
export class SpaceInUse extends DomainError {
  readonly code = 'space_in_use';

  constructor() {
    super('The space is in use');
  }
}

/** Another image has its id or its UUID. */
export class RecordConflict extends DomainError {
  readonly code = 'record_conflict';

  constructor(readonly imageIds: readonly number[]) {
    super(`Other images bear ids or UUIDs of these: ${imageIds.join(', ')}`);
  }
}

/** Not the client's fault: operators must know. */
export class BlobLost extends DomainError {
  readonly code = 'blob_lost';

  constructor(
    readonly imageId: number,
    readonly blobKey: string,
    reason: 'missing' | 'of another size',
  ) {
    super(`The bytes of this image are ${reason}`);
  }
}
