import { buffer } from 'node:stream/consumers';
import type * as Sdk from '@aws-sdk/client-s3';
import { StorageUnavailable } from '../../domain/errors.ts';
import type { ByteRange, FoundBlob } from '../../domain/ports/bytes/blob-store.ts';
import type { OpenedBlob } from '../../domain/ports/bytes/readable-bytes.ts';
import type { StagedFile } from '../../domain/ports/bytes/staging-area.ts';
import type { LinkedHeaders } from '../../domain/ports/bytes/store-links.ts';
import { openResponse } from './open-response.ts';
import type { S3Location } from './parse-s3-url.ts';
import { requireObject } from './require-object.ts';
import { S3Connection, type S3Limits, type S3Sdk } from './s3-connection.ts';
import { signPayload } from './sign-payload.ts';
import { hasCode, isConflict, isRefusal, translateError, unless } from './translating-s3-errors.ts';
import { WatchedBody } from './watched-body.ts';

const S3_LIMITS: S3Limits = { connect: 2_000, response: 5_000, stall: 10_000, removal: 2_000 };

/** Allows for differing clocks and repeated requests. */
const LINK_SECONDS = 300;

type SentFile = Pick<StagedFile, 'size' | 'sha256' | 'read'>;

export interface ListedObject {
  readonly key: string;
  readonly modified: Date;
}

/** Keys are relative to the prefix. Every method throws `StorageUnavailable`. */
export class S3Bucket {
  private readonly connection: S3Connection;

  constructor(
    private readonly location: S3Location,
    private readonly limits = S3_LIMITS,
  ) {
    this.connection = new S3Connection(location, limits);
  }

  /**
   * The signature covers the SHA-256, so the server refuses damaged bytes. If this rejects, the object may exist. It is removed
   * if the server can be reached.
   */
  async put(key: string, file: SentFile): Promise<void> {
    await this.request('PutObject', key, async () => {
      await this.putOnce(key, file).catch(async (error: unknown) => {
        if (isRefusal(error)) throw error;
        await this.putAgain(key, file, error);
      });
    });
  }

  async putBytes(key: string, bytes: Uint8Array): Promise<void> {
    await this.request('PutObject', key, (s3) => this.putBuffer(s3, key, bytes));
  }

  /** Does nothing if the object exists. Of concurrent calls the first one wins; without conditional writes, the last. */
  async putNew(key: string, bytes: Uint8Array): Promise<void> {
    await this.request('PutObject', key, async (s3) => {
      // For servers without conditional writes.
      if ((await this.find(key)) !== undefined) return;
      await this.putBuffer(s3, key, bytes, '*').catch(async (error: unknown) => {
        if (isConflict(error)) return;
        if (!hasCode(error, 'NotImplemented')) throw error;
        await this.putBuffer(s3, key, bytes);
      });
    });
  }

  async read(key: string): Promise<Buffer | undefined> {
    const object = await this.open(key);
    return object && (await buffer(object.read()));
  }

  /** Requests no more than the range. */
  async open(key: string, range?: ByteRange): Promise<OpenedBlob | undefined> {
    return await this.request('GetObject', key, async ({ sdk, client }) => {
      const Range = range && `bytes=${range.start}-${range.end}`;
      try {
        const response = await client.send(new sdk.GetObjectCommand({ ...this.addressOf(key), Range }));
        const reading = { what: this.describe('GetObject', key), stallMs: this.limits.stall };
        return await openResponse(response, reading);
      } catch (error) {
        if (hasCode(error, 'NoSuchKey')) return undefined;
        // The object is shorter than the range. Its size tells the caller so.
        if (hasCode(error, 'InvalidRange') && range !== undefined) return await this.open(key);
        throw error;
      }
    });
  }

  async find(key: string): Promise<FoundBlob | undefined> {
    return await this.request('HeadObject', key, async ({ sdk, client }) => {
      const found = await client
        .send(new sdk.HeadObjectCommand(this.addressOf(key)))
        .catch(unless('NotFound'));
      if (found === undefined) {
        // A response without a body does not say whether the object or the bucket is missing.
        await this.ping();
        return undefined;
      }
      requireObject(found);
      if (found.ContentLength === undefined) throw new Error('The response has no Content-Length');
      return { size: found.ContentLength };
    });
  }

  /** Does nothing if there is none. */
  async remove(key: string, withinMs?: number): Promise<void> {
    await this.request('DeleteObject', key, async ({ sdk, client }) => {
      const options = withinMs === undefined ? {} : { abortSignal: AbortSignal.timeout(withinMs) };
      // S3 reports success for a missing object; some servers report this error.
      await client.send(new sdk.DeleteObjectCommand(this.addressOf(key)), options).catch(unless('NoSuchKey'));
    });
  }

  async *list(prefix: string): AsyncGenerator<readonly ListedObject[], void, undefined> {
    for await (const { Contents = [], EncodingType } of this.pages(prefix)) {
      yield Contents.map(({ Key = '', LastModified = new Date() }) => ({
        key: decodedName(Key, EncodingType).slice(this.location.prefix.length),
        modified: LastModified,
      }));
    }
  }

  /** Names of folders, with the prefix and without slashes. */
  async *listFolders(folder: string, prefix: string): AsyncGenerator<readonly string[], void, undefined> {
    for await (const { CommonPrefixes = [], EncodingType } of this.pages(`${folder}${prefix}`, '/')) {
      yield CommonPrefixes.map(({ Prefix = '' }) =>
        decodedName(Prefix, EncodingType).slice(this.location.prefix.length + folder.length, -1),
      );
    }
  }

  /** Grants its bearer the object. Sends no request. */
  async linkTo(key: string, headers: LinkedHeaders): Promise<string> {
    return await this.request('sign GetObject', key, async ({ sdk, client }) => {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
      const command = new sdk.GetObjectCommand({
        ...this.addressOf(key),
        ResponseContentType: headers.contentType,
        ResponseContentDisposition: headers.contentDisposition,
        ResponseCacheControl: headers.cacheControl,
      });
      return await getSignedUrl(client, command, { expiresIn: LINK_SECONDS });
    });
  }

  /** Resolves if the bucket exists and may be listed. */
  async ping(): Promise<void> {
    await this.request('ListObjectsV2', '', async ({ sdk, client }) => {
      const { bucket, prefix } = this.location;
      await client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, MaxKeys: 1 }));
    });
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private async request<T>(operation: string, key: string, work: (s3: S3Sdk) => Promise<T>): Promise<T> {
    try {
      return await work(await this.connection.open());
    } catch (error) {
      throw translateError(this.describe(operation, key), error);
    }
  }

  private async putBuffer(
    { sdk, client }: S3Sdk,
    key: string,
    Body: Uint8Array,
    IfNoneMatch?: '*',
  ): Promise<void> {
    const command = new sdk.PutObjectCommand({ ...this.addressOf(key), Body, IfNoneMatch });
    requireObject(await client.send(command, { requestTimeout: this.limits.stall }));
  }

  /** Both attempts have the same bytes and the same key, so both may succeed. */
  private async putAgain(key: string, file: SentFile, error: unknown): Promise<void> {
    try {
      // The SDK cannot repeat a stream. One that stalls, or whose file cannot be read, is not sent again.
      if (error instanceof StorageUnavailable) throw error;
      await this.putOnce(key, file);
    } catch (last) {
      // An object that is left has no record, so the sweeper removes it.
      await this.remove(key, this.limits.removal).catch(() => undefined);
      throw last;
    }
  }

  private async putOnce(key: string, file: SentFile): Promise<void> {
    const { sdk, client } = await this.connection.open();
    const { checksums } = this.location;
    const body = new WatchedBody(file, this.limits.stall);
    const command = new sdk.PutObjectCommand({
      ...this.addressOf(key),
      Body: body.stream,
      ContentLength: file.size,
      ...(checksums === 'always' && { ChecksumSHA256: Buffer.from(file.sha256, 'hex').toString('base64') }),
    });
    signPayload(command, file.sha256);
    try {
      // The body has a stall timer in place of a timeout.
      requireObject(await client.send(command, { abortSignal: body.signal, requestTimeout: 0 }));
    } catch (error) {
      throw body.failure ?? error;
    } finally {
      body.close();
    }
  }

  private async *pages(
    prefix: string,
    Delimiter?: string,
  ): AsyncGenerator<Sdk.ListObjectsV2CommandOutput, void, undefined> {
    const { sdk, client } = await this.connection.open();
    const folder = { Bucket: this.location.bucket, Prefix: `${this.location.prefix}${prefix}`, Delimiter };
    try {
      // Encoded, because foreign keys may have characters that XML cannot hold.
      const request = { ...folder, EncodingType: 'url' } as const;
      yield* sdk.paginateListObjectsV2({ client }, request);
    } catch (error) {
      throw translateError(this.describe('ListObjectsV2', prefix), error);
    }
  }

  private addressOf(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.location.bucket, Key: `${this.location.prefix}${key}` };
  }

  private describe(operation: string, key = ''): string {
    return `${operation} s3://${this.location.bucket}/${this.location.prefix}${key}`;
  }
}

/** Not every server encodes names on request. */
function decodedName(name: string, encoding: Sdk.EncodingType | undefined): string {
  return encoding === 'url' ? decodeURIComponent(name.replaceAll('+', ' ')) : name;
}
