import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../domain/errors.ts';
import type { ByteRange, FoundBlob, OpenedBlob } from '../../domain/ports/blob-store.ts';
import type { LinkedHeaders } from '../../domain/ports/store-links.ts';
import { readObject } from './read-object.ts';
import { hasCode, isConflict, isRefusal, translated, translatingS3Errors } from './s3-errors.ts';
import type { S3Location } from './s3-location.ts';

/** In milliseconds. */
export interface S3Limits {
  /** How long a connection may take to be made or, where all are in use, to become free. */
  readonly connect: number;
  /** How long the answer to a request without a body may take to begin. Asked twice, so a server that hangs costs twice that. */
  readonly answer: number;
  /** How long the server may take, or give, nothing of a body. An upload that stalls is not sent again. */
  readonly stall: number;
  /** How long the removal of what may not be there may hold up an answer. */
  readonly removal: number;
}

const LIMITS: S3Limits = { connect: 2_000, answer: 5_000, stall: 10_000, removal: 2_000 };
const ATTEMPTS = 2;
/** A download of more than some hundred kilobytes holds one while its client reads, an upload while it is passed on. */
const MAX_SOCKETS = 512;

/** Long enough for clocks that differ a little, and for a client that tries again. */
const LINK_SECONDS = 300;

/** The SDK writes to the console what it also throws. */
const SILENT = { debug: (): void => {}, info: (): void => {}, warn: (): void => {}, error: (): void => {} };

interface Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** A file to be sent, whose bytes can be read again from the start. */
export interface Sendable {
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  read(): AsyncIterable<Uint8Array>;
}

export interface ListedObject {
  readonly key: string;
  readonly modified: Date;
}

/**
 * The objects below a prefix of a bucket; keys are relative to it. Requests are bounded in time and tried twice.
 * Every method throws `StorageUnavailable`.
 */
export class S3Bucket {
  private connection: Promise<Connection> | undefined;
  private isClosed = false;

  constructor(
    private readonly location: S3Location,
    private readonly limits = LIMITS,
  ) {}

  /**
   * Sends a file. Its SHA-256 is part of what is signed, so a server refuses bytes that were damaged on the way. Where it rejects,
   * the object may be there nevertheless: an answer that was lost says nothing. What can be taken back is.
   */
  async put(key: string, file: Sendable): Promise<void> {
    const what = this.describe('PutObject', key);
    try {
      await this.putOnce(key, file);
    } catch (error) {
      if (isRefusal(error)) throw translated(what, error);
      if (error instanceof StorageUnavailable) throw await this.afterTakingBack(key, error);
      // The SDK itself cannot send a stream twice. The same bytes under the same key: nothing is lost if the first came through.
      await this.putOnce(key, file).catch(async (second: unknown) => {
        throw await this.afterTakingBack(key, translated(what, second));
      });
    }
  }

  async putBytes(key: string, bytes: Uint8Array): Promise<void> {
    await translatingS3Errors(this.describe('PutObject', key), () => this.putBuffer(key, bytes));
  }

  /**
   * Nothing happens where there is such an object. Of several at once, the first one is kept; servers that know no conditions
   * for writes keep the last one.
   */
  async putNew(key: string, bytes: Uint8Array): Promise<void> {
    await translatingS3Errors(this.describe('PutObject', key), async () => {
      // For those servers.
      if ((await this.find(key)) !== undefined) return;
      await this.putBuffer(key, bytes, '*').catch(async (error: unknown) => {
        if (isConflict(error)) return;
        if (!hasCode(error, 'NotImplemented')) throw error;
        await this.putBuffer(key, bytes);
      });
    });
  }

  /** All bytes of a small object; `undefined` where there is none. */
  async read(key: string): Promise<Buffer | undefined> {
    const object = await this.open(key);
    if (object === undefined) return undefined;
    if (object.bytes instanceof Uint8Array) return Buffer.from(object.bytes);
    const chunks: Uint8Array[] = [];
    for await (const chunk of object.bytes) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  /** `undefined` where there is no such object. */
  async open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined> {
    const what = this.describe('GetObject', key);
    try {
      return await this.openOnce(what, key, range);
    } catch (error) {
      if (hasCode(error, 'NoSuchKey')) return undefined;
      // It is shorter than the caller believes, who finds that out by its size.
      if (hasCode(error, 'InvalidRange') && range !== undefined) return await this.open(key);
      throw translated(what, error);
    }
  }

  /** `undefined` where there is no such object. */
  async find(key: string): Promise<FoundBlob | undefined> {
    try {
      const { sdk, client } = await this.connect();
      const head = new sdk.HeadObjectCommand(this.named(key));
      const found = await client.send(head, { requestTimeout: this.limits.answer });
      requireObject(found);
      if (found.ContentLength === undefined) throw new Error('The answer has no Content-Length');
      return { size: found.ContentLength };
    } catch (error) {
      if (!hasCode(error, 'NotFound')) throw translated(this.describe('HeadObject', key), error);
      // An answer without a body does not tell whether the object or the whole bucket is away.
      await this.ping();
      return undefined;
    }
  }

  /**
   * Nothing happens where there is no such object.
   *
   * @param withinMs after which it is not waited for any more
   */
  async remove(key: string, withinMs?: number): Promise<void> {
    try {
      const { sdk, client } = await this.connect();
      await client.send(new sdk.DeleteObjectCommand(this.named(key)), {
        requestTimeout: this.limits.answer,
        ...(withinMs !== undefined && { abortSignal: AbortSignal.timeout(withinMs) }),
      });
    } catch (error) {
      // S3 says that it is done; some servers say that there was nothing to do.
      if (!hasCode(error, 'NoSuchKey')) throw translated(this.describe('DeleteObject', key), error);
    }
  }

  /** All objects whose keys begin so, a page at a time. */
  async *list(prefix: string): AsyncGenerator<readonly ListedObject[], void, undefined> {
    for await (const { Contents = [], EncodingType } of this.pages(prefix)) {
      yield Contents.map(({ Key = '', LastModified = new Date() }) => ({
        key: this.keyOf(Key, EncodingType),
        modified: LastModified,
      }));
    }
  }

  /** What stands behind the prefix and before the next slash, each once, a page at a time. */
  async *listFolders(prefix: string): AsyncGenerator<readonly string[], void, undefined> {
    for await (const { CommonPrefixes = [], EncodingType } of this.pages(prefix, '/')) {
      yield CommonPrefixes.map(({ Prefix = '' }) =>
        this.keyOf(Prefix, EncodingType).slice(prefix.length, -1),
      );
    }
  }

  /** A URL at which whoever has it can read the object for some minutes; nothing is asked of the server for it. */
  async linkTo(key: string, headers: LinkedHeaders): Promise<string> {
    return await translatingS3Errors(this.describe('sign GetObject', key), async () => {
      const { sdk, client } = await this.connect();
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({
        ...this.named(key),
        ResponseContentType: headers.contentType,
        ResponseContentDisposition: headers.contentDisposition,
        ResponseCacheControl: headers.cacheControl,
      });
      return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
    });
  }

  /** Resolves when the bucket is there and may be listed. */
  async ping(): Promise<void> {
    await translatingS3Errors(this.describe('ListObjectsV2'), async () => {
      const { sdk, client } = await this.connect();
      const { bucket, prefix } = this.location;
      await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }), {
        requestTimeout: this.limits.answer,
      });
    });
  }

  /** Closes all connections, those in use, too. What was cut off is not tried again. */
  async close(): Promise<void> {
    this.isClosed = true;
    const connection = await this.connection?.catch(() => undefined);
    connection?.client.destroy();
  }

  /** Loaded where it is needed: it takes longer than all of the rest together. */
  private async connect(): Promise<Connection> {
    if (this.isClosed) throw new StorageUnavailable({ cause: new Error('The bucket was closed') });
    this.connection ??= import('@aws-sdk/client-s3').then((sdk) => ({
      sdk,
      client: clientOf(sdk, this.location, this.limits),
    }));
    return await this.connection;
  }

  private async putBuffer(key: string, Body: Uint8Array, IfNoneMatch?: '*'): Promise<void> {
    const { sdk, client } = await this.connect();
    const command = new sdk.PutObjectCommand({ ...this.named(key), Body, IfNoneMatch });
    requireObject(await client.send(command, { requestTimeout: this.limits.stall }));
  }

  private async putOnce(key: string, file: Sendable): Promise<void> {
    const { sdk, client } = await this.connect();
    const { checksums } = this.location;
    const body = new WatchedBody(file, this.limits.stall);
    const command = new sdk.PutObjectCommand({
      ...this.named(key),
      Body: body.stream,
      ContentLength: file.size,
      ...(checksums === 'always' && { ChecksumSHA256: Buffer.from(file.sha256, 'hex').toString('base64') }),
    });
    signPayload(command, file.sha256);
    try {
      // As long as bytes are taken: what watches over that is the body.
      requireObject(await client.send(command, { abortSignal: body.signal, requestTimeout: 0 }));
    } catch (error) {
      throw body.failure ?? error;
    } finally {
      body.close();
    }
  }

  private async openOnce(what: string, key: string, range: ByteRange | undefined): Promise<OpenedBlob> {
    const { sdk, client } = await this.connect();
    const Range = range && `bytes=${range.start}-${range.end}`;
    const answer = await client.send(new sdk.GetObjectCommand({ ...this.named(key), Range }), {
      requestTimeout: this.limits.answer,
    });
    const { ContentLength, ContentRange } = answer;
    // In Node.js it is one; the type is that of all platforms.
    const body = answer.Body as Readable;
    if (answer.ETag === undefined || ContentLength === undefined) body.destroy();
    requireObject(answer);
    // Without it, an object that was cut off on the way would look complete.
    if (ContentLength === undefined) throw new Error('The response has no Content-Length');
    const whole = /\/(\d+)$/.exec(ContentRange ?? '')?.[1];
    const size = whole === undefined ? ContentLength : Number(whole);
    return { size, ...(await readObject(body, ContentLength, { what, stallMs: this.limits.stall })) };
  }

  private async *pages(
    prefix: string,
    delimiter?: string,
  ): AsyncGenerator<Sdk.ListObjectsV2CommandOutput, void, undefined> {
    const { sdk, client } = await this.connect();
    const start = { Bucket: this.location.bucket, Prefix: `${this.location.prefix}${prefix}` };
    let token: string | undefined;
    do {
      const page = await translatingS3Errors(this.describe('ListObjectsV2', prefix), () =>
        client.send(
          // Foreign keys may have characters that XML has not.
          new sdk.ListObjectsV2Command({
            ...start,
            Delimiter: delimiter,
            EncodingType: 'url',
            ContinuationToken: token,
          }),
          { requestTimeout: this.limits.answer },
        ),
      );
      yield page;
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  private async afterTakingBack(key: string, error: unknown): Promise<unknown> {
    // What this does not reach, or what comes through behind it, has no record: the sweeper takes it.
    await this.remove(key, this.limits.removal).catch(() => undefined);
    return error;
  }

  private named(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${key}` };
  }

  /** @param encoding what the server says that it has encoded names with, which not every server does when it is asked to */
  private keyOf(name: string, encoding: Sdk.EncodingType | undefined): string {
    const key = encoding === 'url' ? decodeURIComponent(name.replaceAll('+', ' ')) : name;
    return key.slice(this.location.prefix.length);
  }

  private describe(operation: string, key = ''): string {
    return `${operation} s3://${this.location.bucket}/${this.location.prefix}${key}`;
  }
}

function clientOf(
  { S3Client }: typeof Sdk,
  { endpoint, region, forcePathStyle }: S3Location,
  { connect, answer }: S3Limits,
): Sdk.S3Client {
  const agent = { keepAlive: true, maxSockets: MAX_SOCKETS };
  return new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    forcePathStyle,
    maxAttempts: ATTEMPTS,
    logger: SILENT,
    // The signature covers the SHA-256 of what is sent; checksums beyond that, and trailers, are not for every server.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would cost a connection for every upload.
    expectContinueHeader: false,
    requestHandler: {
      connectionTimeout: connect,
      // Those of its own, too, with which the SDK asks others for credentials.
      requestTimeout: answer,
      throwOnRequestTimeout: true,
      // Silence is watched by those who know whose turn it is: a download may wait for a slow client.
      socketTimeout: 0,
      httpAgent: agent,
      httpsAgent: agent,
    },
  });
}

/**
 * Every object has a tag, and S3 names it with whatever it says of one. Another server's page of status 200 (a proxy's, a
 * captive portal's) must not pass for an object.
 */
function requireObject({ ETag }: { readonly ETag?: string | undefined }): void {
  if (ETag === undefined) throw new Error('The answer has no ETag, so it is not of an S3 server');
}

/** Known beforehand, so a stream can be signed as a whole (SigV4, "x-amz-content-sha256"). */
function signPayload({ middlewareStack }: Sdk.PutObjectCommand, sha256: string): void {
  middlewareStack.add(
    (next) => async (args) => {
      const { headers } = args.request as { readonly headers: Record<string, string> };
      headers['x-amz-content-sha256'] = sha256;
      return await next(args);
    },
    { step: 'build' },
  );
}

/** The body of a request, and a signal that takes the request back where its bytes cannot be read or are not taken. */
class WatchedBody {
  readonly stream: Readable;
  /** Why it was taken back, if it was. */
  failure: StorageUnavailable | undefined;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly file: Sendable,
    private readonly stallMs: number,
  ) {
    this.stream = Readable.from(this.chunks(), { objectMode: false });
    this.stream.once('error', (cause) => this.fail(cause));
    this.wait();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  close(): void {
    clearTimeout(this.timer);
    this.stream.destroy();
  }

  private async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of this.file.read()) {
      this.wait();
      yield chunk;
    }
  }

  private wait(): void {
    clearTimeout(this.timer);
    const stalled = (): void => this.fail(new Error(`The server has taken nothing for ${this.stallMs} ms`));
    this.timer = setTimeout(stalled, this.stallMs);
  }

  private fail(cause: Error): void {
    this.failure ??= new StorageUnavailable({ cause });
    this.controller.abort(cause);
  }
}
