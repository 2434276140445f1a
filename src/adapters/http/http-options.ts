import type { Logger } from 'pino';
import type { SubjectShares } from '../../application/concurrency/subject-shares.ts';
import type { MediaType } from '../../domain/image/media-type.ts';
import type { Rendition } from '../../domain/image/rendition.ts';
import type { StagingArea } from '../../domain/ports/bytes/staging-area.ts';
import type { Clock } from '../../domain/ports/process/clock.ts';
import type { Timer } from '../../domain/ports/process/timer.ts';
import type { UuidGenerator } from '../../domain/ports/process/uuid-generator.ts';
import type { SigningKeys } from './auth/signing-keys.ts';
import type { OffloadTarget } from './bytes/offload-to.ts';
import type { CorsOrigins } from './create-app.ts';
import type { Scopes } from './openapi/operation.ts';
import type { HttpTelemetry } from './telemetry.ts';
import type { UseCases } from './use-cases.ts';

export interface HttpSettings {
  readonly idp: { readonly domain: string; readonly issuer: string; readonly audience: string };
  /** The gallery at the identity provider. */
  readonly web: { readonly clientId: string | undefined; readonly scope: string };
  readonly corsOrigins: CorsOrigins;
  /** In which caches look for the tags of responses; `undefined`: there are none. */
  readonly cacheTagHeader: string | undefined;
  readonly scopes: Scopes;
  /** The claim that names the space of a token; `undefined`: all tokens use the common space. */
  readonly spaceClaim: string | undefined;
  /** IANA name: in which the catalog counts days and months. */
  readonly timeZone: string;
  readonly readOnly: boolean;
  /** 0: deleted images are gone at once. */
  readonly trashDays: number;
  /** Whether records and the feed of changes name who has made them. */
  readonly recordActor: boolean;
  /** `undefined` if there is no management listener. */
  readonly management: { readonly host: string } | undefined;
  readonly upload: {
    /** A file of exactly this many bytes passes. */
    readonly maxBytes: number;
    /** The bound for an image. */
    readonly maxPixels: number;
    /** What uploads may be. */
    readonly acceptedTypes: readonly MediaType[];
    readonly concurrency: number;
    /** In milliseconds. */
    readonly stallTimeoutMs: number;
  };
  readonly renditions: {
    /** In pixels. */
    readonly sizes: readonly number[];
    /** Made after each upload. */
    readonly prerendered: readonly Rendition[];
  };
}

/** `ping` rejects if it cannot be used. */
interface Dependency {
  ping(): Promise<void>;
}

export interface HttpApiOptions {
  /** The public address of the API, with a slash at its end; known when it listens. */
  readonly apiUrl: () => string;
  /** That of the web listener, `undefined` if this service has none and signs for none. */
  readonly webUrl: (() => string) | undefined;
  readonly useCases: UseCases;
  readonly settings: HttpSettings;
  readonly offloadTarget: OffloadTarget | undefined;
  readonly signingKeys: SigningKeys;
  readonly staging: StagingArea;
  readonly database: Dependency;
  readonly blobStore: Dependency;
  /** Throws if a later version has migrated the catalog. */
  readonly requireUsable: () => void;
  /** Streams of changes, and requests that wait for one. */
  readonly changePlaces: SubjectShares;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly uuids: UuidGenerator;
  readonly log: Logger;
  readonly telemetry: HttpTelemetry;
}
