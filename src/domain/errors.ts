import { FILE_KIND_NAMES, type FileKind } from './image/file-kind.ts';
import { formatNames } from './image/format-names.ts';
import type { MediaType } from './image/media-type.ts';
import { describeFault, type PictureFault } from './image/picture-faults.ts';

/** Errors that say nothing but their code, and the message that clients see. */
const MESSAGES = {
  image_not_found: 'There is no image with this id',
  image_changed: 'The image is not the expected one',
  metadata_changed: 'The metadata is not of the expected version',
  invalid_place: 'There is no such place in this catalog',
  idempotency_key_in_use: 'An upload with this idempotency key or ticket is under way',
  idempotency_key_reused: 'This idempotency key was used for other bytes',
  link_invalid: 'This link is not valid',
  link_expired: 'This link has expired',
  ticket_invalid: 'This ticket is not valid',
  ticket_expired: 'This ticket has expired',
  ticket_used: 'This ticket was used for another file',
  cursor_expired: 'The feed of changes does not reach back to this cursor; start again from a listing',
  name_not_found: 'There is no such name',
  name_changed: 'The name is not of the expected version',
  insufficient_scope: 'The name would be public, and the client may not publish it',
  quota_exceeded: 'The space has no room for this image',
  space_in_use: 'The space is in use',
  space_not_found: 'The space has neither an image nor a limit of its own',
} as const;

export type DomainErrorCode =
  | keyof typeof MESSAGES
  | 'invalid_original_name'
  | 'file_too_large'
  | 'unsupported_media_type'
  | 'invalid_image'
  | 'invalid_metadata'
  | 'too_much_metadata'
  | 'too_many_changes'
  | 'storage_unavailable'
  | 'catalog_too_new'
  | 'overloaded'
  | 'record_conflict'
  | 'blob_lost';

/** Messages are safe to show to clients. */
export abstract class DomainError extends Error {
  abstract readonly code: DomainErrorCode;

  override get name(): string {
    return this.constructor.name;
  }
}

function plainError<Code extends keyof typeof MESSAGES>(code: Code) {
  return class extends DomainError {
    readonly code = code;

    constructor(message: string = MESSAGES[code]) {
      super(message);
    }
  };
}

export class ImageNotFound extends plainError('image_not_found') {}

export class ImageChanged extends plainError('image_changed') {}

export class MetadataChanged extends plainError('metadata_changed') {}

/** No page of this catalog ends at such a place. */
export class InvalidPlace extends plainError('invalid_place') {}

export class IdempotencyKeyInUse extends plainError('idempotency_key_in_use') {
  readonly retryAfterSeconds = 1;
}

export class IdempotencyKeyReused extends plainError('idempotency_key_reused') {}

/** Does not say what is wrong with the link. */
export class LinkInvalid extends plainError('link_invalid') {}

export class LinkExpired extends plainError('link_expired') {}

/** Does not say what is wrong with the ticket. */
export class TicketInvalid extends plainError('ticket_invalid') {}

export class TicketExpired extends plainError('ticket_expired') {}

export class TicketUsed extends plainError('ticket_used') {}

/** The catalog does not hold the change: it was removed, or the catalog was restored. */
export class CursorExpired extends plainError('cursor_expired') {}

export class NameNotFound extends plainError('name_not_found') {}

export class NameChanged extends plainError('name_changed') {}

/** A name would be public, and its client may not publish. */
export class PublishingRefused extends plainError('insufficient_scope') {}

/** A space or an image may not hold as much. */
export class QuotaExceeded extends plainError('quota_exceeded') {}

/** There is something in a space that should have nothing. */
export class SpaceInUse extends plainError('space_in_use') {}

/** A space has neither an image, also in the trash, nor a limit of its own. */
export class SpaceNotFound extends plainError('space_not_found') {}

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

  constructor(
    readonly kind: FileKind,
    accepted: readonly MediaType[],
  ) {
    const found = kind === 'other' ? '' : `${FILE_KIND_NAMES[kind]}, `;
    super(`The file is ${found}not a ${formatNames(accepted)} image`);
  }
}

export class InvalidImage extends DomainError {
  readonly code = 'invalid_image';

  /** @param fault why it is refused; a text completes the sentence "The image/jpeg file " */
  constructor(
    readonly mediaType: MediaType,
    fault: PictureFault | string = { cause: 'undecodable' },
    options?: ErrorOptions,
  ) {
    super(`The ${mediaType} file ${typeof fault === 'string' ? fault : describeFault(fault)}`, options);
  }
}

/** Decoding could cost more than one image may. The bytes may be intact. */
export class ImageBeyondLimits extends InvalidImage {}

/** The rendition has more bytes than a rendition may have. The image is intact, and smaller renditions of it can be made. */
export class RenditionTooLarge extends InvalidImage {
  constructor(
    mediaType: MediaType,
    readonly format: string,
    readonly maxBytes: number,
  ) {
    super(mediaType, `as ${format} in this size has more than ${maxBytes} bytes, the limit of a rendition`);
  }
}

/** A field of a patch or of an edit of many images. */
export class InvalidMetadata extends DomainError {
  readonly code = 'invalid_metadata';

  constructor(
    readonly field: string,
    readonly rule: string,
  ) {
    super(`Field "${field}" ${rule}`);
  }
}

/** One request would write too much metadata to many images. */
export class TooMuchMetadata extends DomainError {
  readonly code = 'too_much_metadata';

  constructor(readonly maxWords: number) {
    super(`More than ${maxWords} words of images would come or go; change fewer images at a time`);
  }
}

interface ChangeLimit {
  /** Changes of a subject in a space in 24 hours. */
  readonly max: number;
  /** Changes of the refused request. */
  readonly asked: number;
  readonly now: Date;
  /** When so many of the earlier changes no longer count that the request can succeed; if it never can, when none counts. */
  readonly until: Date;
}

/** A subject has changed as much of a space as it may in 24 hours. */
export class TooManyChanges extends DomainError {
  readonly code = 'too_many_changes';
  readonly retryAfterSeconds: number;

  constructor({ max, asked, now, until }: ChangeLimit) {
    const limit = `At most ${max} changes in 24 hours are allowed in this space.`;
    const advice =
      asked > max
        ? `This request makes ${asked}: change fewer images at a time`
        : `Changes are refused until ${until.toISOString()}`;
    super(`${limit} ${advice}`);
    this.retryAfterSeconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
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

/** The queue or the bound that has refused work. Only the log shows it. */
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

/** Another image has its id or its UUID. */
export class RecordConflict extends DomainError {
  readonly code = 'record_conflict';

  constructor(readonly imageIds: readonly number[]) {
    super(`Other images bear ids or UUIDs of these: ${imageIds.join(', ')}`);
  }
}

/** Operators must know: it is not the client's fault. */
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
