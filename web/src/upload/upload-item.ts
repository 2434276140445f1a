import { Store } from '../base/store.ts';
import type { PictureRefusal } from './picture-refusal.ts';

export type FileRefusal =
  | 'unsupported_media_type'
  | 'heic'
  | 'file_too_large'
  | 'file_required'
  | 'invalid_request';

/** Why a file cannot be uploaded, whatever one tries. */
export type Refusal = PictureRefusal | { readonly reason: FileRefusal };

/** Why an upload did not work this time. */
export type Failure =
  | 'unreadable'
  | 'changed'
  | 'connection_lost'
  | 'deleted_meanwhile'
  | 'quota_exceeded'
  | 'internal_error'
  | 'unexpected_response';

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'hashing' }
  | { readonly kind: 'checking' }
  /** `sent` in bytes. */
  | { readonly kind: 'uploading'; readonly sent: number }
  | { readonly kind: 'paused' }
  /** `image` is the id of the picture. */
  | { readonly kind: 'uploaded'; readonly image: number }
  | { readonly kind: 'known'; readonly image: number }
  /** The same bytes were chosen twice. */
  | { readonly kind: 'repeated'; readonly first: UploadItem }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'failed'; readonly reason: Failure }
  | { readonly kind: 'cancelled' };

export type UploadKind = UploadState['kind'];

/** A file of the queue. */
export class UploadItem {
  readonly state: Store<UploadState>;

  constructor(
    readonly id: number,
    readonly file: File,
    /** Bytes. Browsers look at the file each time they are asked for its size, and the page waits. */
    readonly size: number,
    /** Files that were chosen in one go have the same number. */
    readonly batch: number,
    state: UploadState = { kind: 'waiting' },
  ) {
    this.state = new Store(state);
  }

  get name(): string {
    return this.file.name;
  }
}
