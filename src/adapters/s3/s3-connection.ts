import type * as Sdk from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../domain/errors.ts';
import type { S3Location } from './parse-s3-url.ts';

/** In milliseconds. */
export interface S3Limits {
  /** To open a connection or get a free one. */
  readonly connect: number;
  /** For requests without a body, which are sent twice: a server that hangs costs twice that. */
  readonly response: number;
  /** A body may stall this long, in either direction. A stalled upload is not sent again. */
  readonly stall: number;
  /** Timeout for deleting the object of a failed upload; the error of the upload is reported afterwards. */
  readonly removal: number;
}

const ATTEMPTS = 2;

/** A large download holds one while its client reads. */
const MAX_SOCKETS = 512;

/** The SDK writes to the console what it also throws. */
const SILENT = { debug: (): void => {}, info: (): void => {}, warn: (): void => {}, error: (): void => {} };

export interface S3Sdk {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** Loaded at the first request, because they load slowly. */
export class S3Connection {
  private loading: Promise<S3Sdk> | undefined;
  private isClosed = false;

  constructor(
    private readonly location: S3Location,
    private readonly limits: S3Limits,
  ) {}

  /** @throws {StorageUnavailable} */
  async open(): Promise<S3Sdk> {
    if (this.isClosed) throw new StorageUnavailable({ cause: new Error('The bucket was closed') });
    this.loading ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: clientOf(sdk, this.location, this.limits),
    }));
    return await this.loading;
  }

  /** Also closes sockets in use. */
  async close(): Promise<void> {
    this.isClosed = true;
    const loaded = await this.loading?.catch(() => undefined);
    loaded?.client.destroy();
  }
}

function clientOf(
  { S3Client }: typeof Sdk,
  { endpoint, region, forcePathStyle }: S3Location,
  { connect, response }: S3Limits,
): Sdk.S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    // The signature covers the SHA-256 of the body. Not every server knows further checksums and trailers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would cost a connection for every upload.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connect,
      // Also bounds the SDK's own requests for credentials.
      requestTimeout: response,
      throwOnRequestTimeout: true,
      // Bodies have stall timers of their own: a download may wait for a slow client.
      socketTimeout: 0,
      httpAgent: agent,
      // `HTTPS_PROXY` and `NO_PROXY` count in Node.js 22.21, 24.5 and later.
      httpsAgent: { ...agent, proxyEnv: process.env },
    },
  });
}
