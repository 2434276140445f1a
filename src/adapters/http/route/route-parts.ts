import type { Context } from 'koa';
import type { FairQueue } from '../../../application/concurrency/fair-queue.ts';
import type { QueuedJob } from '../../../application/concurrency/queue-policy.ts';
import type { UseCases } from '../../../application/use-cases.ts';
import type { Image } from '../../../domain/image/image.ts';
import type { ByteRange } from '../../../domain/ports/bytes/blob-store.ts';
import type { StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../../domain/ports/process/clock.ts';
import type { Timer } from '../../../domain/ports/process/timer.ts';
import type { ImageMetadataStore } from '../../../domain/ports/records/image-metadata-store.ts';
import type { ImageRepository } from '../../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { Names } from '../../../domain/ports/records/names.ts';
import type { SpaceRecords } from '../../../domain/ports/records/space-records.ts';
import type { TagIndex } from '../../../domain/ports/records/tag-index.ts';
import type { WebFile } from '../response/web-file.ts';
import type { HttpTelemetry } from '../telemetry/http-telemetry.ts';
import type { HttpSettings } from './http-settings.ts';

/** Ports that routes call directly, because there is no decision to make in a use case. */
export interface RoutePorts {
  readonly images: InSpaces<ImageRepository>;
  readonly metadata: InSpaces<ImageMetadataStore>;
  readonly names: InSpaces<Names>;
  readonly spaces: Pick<SpaceRecords, 'find' | 'setLimits'>;
  readonly tags: InSpaces<TagIndex>;
  readonly staging: StagingArea;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Streams of changes, and requests that wait for one. */
  readonly changeSlots: FairQueue<QueuedJob>;
}

/**
 * Sends an original by another server. Called for a GET whose conditions hold, with the headers of the bytes set. Resolves to
 * `false` if this process has to send the bytes.
 *
 * @throws {ImageNotFound | BlobLost | StorageUnavailable}
 */
export type TryOffload = (ctx: Context, image: Image, range: ByteRange | undefined) => Promise<boolean>;

/** What routes may use. */
export interface RouteParts extends UseCases, RoutePorts {
  readonly settings: HttpSettings;
  /** That of the web listener, with a slash at its end; `undefined` if no listener serves links and takes tickets. */
  readonly webUrl: (() => string) | undefined;
  readonly telemetry: HttpTelemetry;
  readonly archiveSlots: FairQueue<QueuedJob>;
  /** The OpenAPI document. */
  readonly description: () => Promise<WebFile>;
  readonly tryOffload: TryOffload;
}
