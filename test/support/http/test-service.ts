import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Container, ContainerModule } from 'inversify';
import supertest, { type Response, type Test } from 'supertest';
import { refusalHeaders } from '../../../src/adapters/http/middleware/cross-origin.ts';
import { createServer } from '../../../src/adapters/http/server/create-server.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import type { Clock } from '../../../src/domain/ports/process/clock.ts';
import type { Timer } from '../../../src/domain/ports/process/timer.ts';
import type { ImageRepository } from '../../../src/domain/ports/records/image-repository.ts';
import { COMMON_SPACE } from '../../../src/domain/space/space.ts';
import { type Config, parseConfig } from '../../../src/infrastructure/config/config.ts';
import { createServiceContainer } from '../../../src/infrastructure/create-service-container.ts';
import { TOKENS } from '../../../src/infrastructure/tokens.ts';
import { CapturedLog } from '../doubles/captured-log.ts';
import { DECODERS, startDecoders } from '../doubles/decoders.ts';
import { FORM_TYPE, filePart, multipart, type Part } from '../fixtures/multipart.ts';
import { jwk, rsaKey, signToken } from '../fixtures/tokens.ts';
import { watchLoopFor } from '../loop/loop-meter.ts';
import { defaultDocument } from '../openapi/default-document.ts';
import { DescribedApi, type Description, type ReceivedResponse } from '../openapi/described-api.ts';
import { countHit } from '../openapi/hits.ts';
import { publish, SigningKeyServer } from '../servers/signing-key-server.ts';
import type { ImageRecord } from './catalog-client.ts';
import { RawConnection } from './raw-connection.ts';
import { type OpenStorage, openByEnvironment, type TestStorage } from './test-storage.ts';

export interface TestServiceOptions {
  readonly openStorage?: OpenStorage;
  readonly maxFileBytes?: number;
  readonly maxPixels?: number;
  readonly maxFramePixels?: number;
  /** As `INPUT_FORMATS`. */
  readonly inputFormats?: string;
  /** As `METADATA_GPS`. */
  readonly metadataGps?: string;
  /** As `METADATA_TEXTS`. */
  readonly metadataTexts?: string;
  /** Limit of concurrent uploads. */
  readonly uploadConcurrency?: number;
  /** Memory limit of all decodes together, in bytes. */
  readonly decodeMemoryBytes?: number;
  readonly stallTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly corsOrigins?: Config['corsOrigins'];
  readonly cacheTagHeader?: string;
  readonly scopes?: Partial<Config['scopes']>;
  /** As `SPACE_CLAIM`. */
  readonly spaceClaim?: string;
  /** Further variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Of each space. */
  readonly spaceLimits?: Partial<Config['spaceLimits']>;
  /** As `CHANGES_PER_DAY`. */
  readonly changesPerDay?: number;
  readonly readOnly?: boolean;
  /** As `TRASH_DAYS`. */
  readonly trashDays?: number;
  /** As in the variable of this name; none by default, so that encodes are those of the test. */
  readonly prerender?: string;
  readonly accelRedirectPrefix?: string | undefined;
  /** As `MANAGEMENT_HOST`; loopback by default. */
  readonly managementHost?: string;
  /** As `WEB_URL`. */
  readonly webUrl?: string;
  /** As `WEB_TITLE`. */
  readonly webTitle?: string;
  /** As `PUBLISH_NAMES`. */
  readonly publishNames?: boolean;
  /** Starts a front between the clients and the service, such as a proxy. */
  readonly openFront?: (port: number, storage: TestStorage) => Promise<Front>;
  /** The clock of the records that a test adds without the service. */
  readonly clock?: Clock;
  /** Loaded after those of the service: they replace or wrap what the container makes. See test/README.md. */
  readonly modules?: readonly ContainerModule[];
  /** That of the machine by default. */
  readonly serviceClock?: Clock;
  /** Of the feed of changes and of clients that read nothing; real ones by default. */
  readonly timer?: Timer;
  /** Streams of changes, and requests that wait for one, at a time. */
  readonly changesStreams?: number;
  readonly recordActor?: boolean;
}

/** What clients connect to instead of the service. */
export interface Front {
  readonly port: number;
  stop(): Promise<void>;
}

const AUDIENCE = 'https://images.example.test/api';
const KEY = rsaKey('test-service');

/** The part that the identity provider publishes. */
export const PUBLISHED_KEYS = [jwk(KEY)];

/** The whole service, as the container wires it, on a real socket of the loopback interface. */
export class TestService {
  readonly #running = new Set<Promise<void>>();
  /** Every response is checked against the description. */
  readonly #api: DescribedApi;
  #front: Front | undefined;
  readonly #stopWatch: () => void;

  private constructor(
    readonly container: Container,
    readonly server: Server,
    readonly storage: TestStorage,
    readonly identityProvider: SigningKeyServer,
    readonly log: CapturedLog,
    api: DescribedApi,
  ) {
    this.#api = api;
    this.#stopWatch = watchLoopFor(container.get(TOKENS.telemetry).underWay);
  }

  static async start(options: TestServiceOptions = {}): Promise<TestService> {
    const log = new CapturedLog();
    const identityProvider = await SigningKeyServer.start(publish(PUBLISHED_KEYS));
    const storage = await (options.openStorage ?? openByEnvironment)(options.clock ?? new SystemClock());
    const config = configured(identityProvider.domain, storage, options);
    const container = createServiceContainer(config, log.logger);
    // Processes of their own would double the time of the tests.
    if (options.decodeMemoryBytes === undefined) {
      container.rebind(TOKENS.decoders).toConstantValue(DECODERS);
      await startDecoders();
    } else await container.get(TOKENS.decoders).start();
    if (options.serviceClock !== undefined) {
      container.rebind(TOKENS.clock).toConstantValue(options.serviceClock);
    }
    if (options.timer !== undefined) container.rebind(TOKENS.timer).toConstantValue(options.timer);
    container.load(...(options.modules ?? []));
    const handle = container.get(TOKENS.httpApi).app.callback();
    const server = createServer((request, response) => service.#handle(handle, request, response), {
      requestTimeoutMs: config.requestTimeoutMs,
      uuids: container.get(TOKENS.uuids),
      requests: container.get(TOKENS.telemetry).underWay,
      timer: container.get(TOKENS.timer),
      log: log.logger,
      refusalHeaders: refusalHeaders(config.corsOrigins),
    });
    const service = new TestService(
      container,
      server,
      storage,
      identityProvider,
      log,
      describedApi(config.delivery.kind === 'bucket'),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    service.#front = await options.openFront?.(service.port, storage);
    return service;
  }

  /** The address for clients. */
  get port(): number {
    return this.#front?.port ?? (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The images of the common space, straight in the database. */
  get images(): ImageRepository {
    return this.storage.images.in(COMMON_SPACE);
  }

  /** A token that the service accepts, with any further claims. */
  token(claims: Record<string, unknown> = {}): string {
    const exp = Math.floor(Date.now() / 1000) + 3600;
    return signToken({ iss: this.identityProvider.domain, aud: AUDIENCE, sub: 'alice', exp, ...claims }, KEY);
  }

  /** `Authorization` with such a token. */
  get bearer(): string {
    return this.bearerWith();
  }

  /** `Authorization` with a token of these claims, such as that of a space. */
  bearerWith(claims: Record<string, unknown> = {}): string {
    return `Bearer ${this.token(claims)}`;
  }

  /** A request without a token. */
  anonymous(method: 'get' | 'head' | 'post' | 'delete' | 'put' | 'patch' | 'options', path: string): Test {
    const agent = supertest(this.url);
    const request = { method: method.toUpperCase(), path };
    return agent[method](path).expect((response) => this.#api.check(request, received(response)));
  }

  get(path: string): Test {
    return this.anonymous('get', path).set('Authorization', this.bearer);
  }

  head(path: string): Test {
    return this.anonymous('head', path).set('Authorization', this.bearer);
  }

  delete(path: string): Test {
    return this.anonymous('delete', path).set('Authorization', this.bearer);
  }

  /** An upload of a form made of these parts. */
  post(parts: readonly Part[], query = ''): Test {
    return this.#send('post', `/api/upload${query}`, multipart(parts), FORM_TYPE);
  }

  /** An upload with any body, as `multipart/form-data` unless the test says otherwise. */
  postBody(body: Buffer, contentType = FORM_TYPE): Test {
    return this.#send('post', '/api/upload', body, contentType);
  }

  /** A JSON request with exactly these bytes. */
  postJson(path: string, body: string | Uint8Array, contentType = 'application/json'): Test {
    return this.#send('post', path, Buffer.from(body), contentType);
  }

  /** Such a request as a put. */
  putJson(path: string, body: string | Uint8Array, contentType = 'application/json'): Test {
    return this.#send('put', path, Buffer.from(body), contentType);
  }

  /** Such a request as a patch. */
  patchJson(path: string, body: string | Uint8Array, contentType: string): Test {
    return this.#send('patch', path, Buffer.from(body), contentType);
  }

  /** Uploads a picture for a test of something else. */
  async upload(bytes: Uint8Array, filename = 'cat.png'): Promise<ImageRecord> {
    const response = await this.post([filePart(bytes, filename)]);
    if (response.status !== 201) throw new Error(`The upload returned ${response.status} ${response.text}`);
    return response.body as ImageRecord;
  }

  async connect(): Promise<RawConnection> {
    return await RawConnection.open(this.port, (request, response) => this.#api.check(request, response));
  }

  get runningRequests(): number {
    return this.#running.size;
  }

  /** Resolves when no request is running. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Orphaned files of rejected uploads after all requests have ended. Empty if there is no fault. */
  async leftovers(): Promise<readonly string[]> {
    await this.idle();
    return await this.storage.leftovers();
  }

  /** Every record, straight from the database. */
  async records(): Promise<number> {
    return await this.storage.images.count();
  }

  async stop(): Promise<void> {
    await this.#front?.stop();
    if (this.server.listening) {
      const closed = once(this.server, 'close');
      this.server.close();
      this.server.closeAllConnections();
      await closed;
    }
    await this.idle();
    this.#stopWatch();
    await this.container.get(TOKENS.useCases).prerenderUploads.stop();
    await this.container.unbindAllAsync();
    await this.storage.tearDown();
    await this.identityProvider.stop();
  }

  #send(method: 'post' | 'put' | 'patch', path: string, body: Buffer, contentType: string): Test {
    const request = this.anonymous(method, path).set('Authorization', this.bearer);
    // Without a type, superagent would serialize a Buffer as JSON.
    return request
      .set('Content-Type', contentType)
      .serialize(() => body as unknown as string)
      .send(body);
  }

  async #handle(
    handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const running = handle(request, response).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}

const described = new Map<boolean, DescribedApi>();

/** One for all services: the settings of the tests change no response. */
function describedApi(redirects: boolean): DescribedApi {
  const api =
    described.get(redirects) ??
    new DescribedApi(defaultDocument({ redirects }) as Description, redirects ? undefined : countHit);
  described.set(redirects, api);
  return api;
}

function received({ status, headers, text }: Response): ReceivedResponse {
  return { status, headers, text };
}

function configured(idpDomain: string, storage: TestStorage, options: TestServiceOptions): Config {
  const environment = {
    ...storage.environment,
    IDP_DOMAIN: idpDomain,
    IDP_AUDIENCE: AUDIENCE,
    ACCEL_REDIRECT_PREFIX: options.accelRedirectPrefix,
    MANAGEMENT_HOST: options.managementHost,
    MANAGEMENT_PORT: '0',
    WEB_URL: options.webUrl,
    WEB_TITLE: options.webTitle,
    PRERENDER: options.prerender ?? '',
    ...options.env,
    METADATA_GPS: options.metadataGps,
    METADATA_TEXTS: options.metadataTexts,
    ...(options.inputFormats !== undefined && { INPUT_FORMATS: options.inputFormats }),
  };
  const defaults = parseConfig(environment);
  return {
    ...defaults,
    upload: {
      ...defaults.upload,
      maxBytes: options.maxFileBytes ?? 200_000,
      maxPixels: options.maxPixels ?? defaults.upload.maxPixels,
      maxFramePixels: options.maxFramePixels ?? defaults.upload.maxFramePixels,
      concurrency: options.uploadConcurrency ?? defaults.upload.concurrency,
      stallTimeoutMs: options.stallTimeoutMs ?? 10_000,
    },
    decodeMemoryBytes: options.decodeMemoryBytes ?? defaults.decodeMemoryBytes,
    requestTimeoutMs: options.requestTimeoutMs ?? 20_000,
    corsOrigins: options.corsOrigins ?? defaults.corsOrigins,
    cacheTagHeader: options.cacheTagHeader,
    spaceClaim: options.spaceClaim,
    spaceLimits: { ...defaults.spaceLimits, ...options.spaceLimits },
    changesPerDay: options.changesPerDay ?? defaults.changesPerDay,
    readOnly: options.readOnly ?? defaults.readOnly,
    trashDays: options.trashDays ?? defaults.trashDays,
    recordActor: options.recordActor ?? defaults.recordActor,
    changes: { streams: options.changesStreams ?? defaults.changes.streams },
    publishNames: options.publishNames ?? defaults.publishNames,
    scopes: { ...defaults.scopes, ...options.scopes },
  };
}
