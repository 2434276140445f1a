import type { InspectionRequester } from '../../domain/ports/pictures/image-inspector.ts';
import type { IdempotencyKey } from '../../domain/ports/records/idempotency-keys.ts';
import type { NewName } from '../../domain/ports/records/image-repository.ts';
import type { Space } from '../../domain/space/space.ts';
import type { Ticket } from '../../domain/ticket/ticket.ts';
import type { IncomingFile } from './incoming-file.ts';

/** What is known of an upload before its body is read. */
export interface UploadRequest {
  readonly space: Space;
  /** Slots and decoders are shared between subjects; the signal aborts when the client leaves. */
  readonly requester: InspectionRequester;
  /** Who uploads it, for the record and the feed of changes. */
  readonly by?: string | undefined;
  /** The name that will point to the image. */
  readonly name?: NewName | undefined;
  /** One key leads to one image: a client may repeat the upload until it gets the response. */
  readonly key?: Omit<IdempotencyKey, 'space'> | undefined;
  /** Instead of a token. `key` is that of the ticket. */
  readonly ticket?: Ticket | undefined;
  readonly file: IncomingFile;
}
