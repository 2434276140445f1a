import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CatalogClient } from '../../test/support/http/catalog-client.ts';
import type { GetJob, UploadJob } from './jobs.ts';
import { LoadGenerator } from './load-generator.ts';
import { makePhoto, PHOTO_SHAPES, type PhotoName } from './make-photos.ts';
import { type Server, type ServerOptions, startScript, startService } from './server.ts';

export interface WorkbenchOptions {
  readonly rounds: number;
  /** Short runs. */
  readonly quick: boolean;
  /** Database of the suites scale and finding. */
  readonly on: 'sqlite' | 'postgres';
  /** The suites scale and finding with a million records. */
  readonly full: boolean;
  /** The suite finding with so many records as well. */
  readonly records?: number | undefined;
  /** Duration of the soak. */
  readonly minutes: number;
  /** A folder with another build, or a commit. */
  readonly against?: string | undefined;
  /** Seed of generated pictures and requests. */
  readonly seed: number;
}

interface PhotoFile {
  readonly path: string;
  readonly serialAt: number;
}

const IDENTITY_PROVIDER = new URL('identity-provider.ts', import.meta.url);

/** Literal URLs, so that knip sees the files in use. */
const BASELINES = {
  bytes: new URL('../baselines/bytes.ts', import.meta.url),
  'durable-body': new URL('../baselines/durable-body.ts', import.meta.url),
  listing: new URL('../baselines/listing.ts', import.meta.url),
  nginx: new URL('../baselines/nginx.ts', import.meta.url),
  'read-file': new URL('../baselines/read-file.ts', import.meta.url),
  record: new URL('../baselines/record.ts', import.meta.url),
  upload: new URL('../baselines/upload.ts', import.meta.url),
} as const;

const SERVICE_BEHIND_NGINX = new URL('service-behind-nginx-main.ts', import.meta.url);

export type BaselineName = keyof typeof BASELINES;

/** The surroundings of every scenario: a temporary folder, an identity provider, a load generator, photos. */
export class Workbench {
  readonly #photos = new Map<PhotoName, PhotoFile>();
  readonly #servers = new Set<Server>();
  #folders = 0;

  private constructor(
    readonly options: WorkbenchOptions,
    readonly generator: LoadGenerator,
    private readonly folder: string,
    private readonly provider: Server,
  ) {}

  static async prepare(options: WorkbenchOptions): Promise<Workbench> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'image-catalog-bench-')));
    // The folder may hold gigabytes, so it is removed on signals too. The started processes end on `exit` as well.
    process.once('exit', () =>
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    const provider = await startScript(IDENTITY_PROVIDER, [], { folder });
    return new Workbench(options, LoadGenerator.start(), folder, provider);
  }

  /** Stops all processes and removes the folder. */
  async clear(): Promise<void> {
    await this.stopServers();
    await this.generator.stop();
    await this.provider.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async stopServers(): Promise<void> {
    await Promise.all([...this.#servers].map((server) => server.stop()));
    this.#servers.clear();
  }

  /** Duration of one run. */
  get seconds(): number {
    return this.options.quick ? 2 : 4;
  }

  get authorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#greeting('token')}` };
  }

  /** Of another subject. */
  get otherAuthorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#greeting('otherToken')}` };
  }

  /** Of so many subjects, who are four at most. */
  authorizationsOf(subjects: number): ReadonlyArray<Readonly<Record<string, string>>> {
    const tokens = this.provider.greeting['uploaderTokens'] as readonly string[];
    return tokens.slice(0, subjects).map((token) => ({ authorization: `Bearer ${token}` }));
  }

  client({ url }: Server): CatalogClient {
    return new CatalogClient(url, this.#greeting('token'));
  }

  async makeFolder(name: string): Promise<string> {
    const path = join(this.folder, `${this.#folders++}-${name}`);
    await mkdir(path);
    return path;
  }

  /** The settings that make a service accept the token. */
  get serviceEnvironment(): Readonly<Record<string, string>> {
    return { IDP_DOMAIN: this.#greeting('issuer'), IDP_AUDIENCE: this.#greeting('audience') };
  }

  #greeting(field: 'audience' | 'issuer' | 'token' | 'otherToken'): string {
    return String(this.provider.greeting[field]);
  }

  async startService(folder: string, options: Partial<ServerOptions> = {}): Promise<Server> {
    const env = { ...this.serviceEnvironment, ...options.env };
    return this.#keep(await startService({ ...options, folder, env }));
  }

  /** The service offloads bytes to nginx, with the configuration `deploy/nginx.conf`. */
  async startServiceBehindNginx(folder: string): Promise<Server> {
    return this.#keep(await startScript(SERVICE_BEHIND_NGINX, [], { folder, env: this.serviceEnvironment }));
  }

  async startBaseline(name: BaselineName, args: readonly string[]): Promise<Server> {
    const folder = await this.makeFolder(name);
    return this.#keep(await startScript(BASELINES[name], args, { folder }));
  }

  #keep(server: Server): Server {
    this.#servers.add(server);
    return server;
  }

  async photo(name: PhotoName): Promise<PhotoFile> {
    const made = this.#photos.get(name) ?? (await this.#makePhoto(name));
    this.#photos.set(name, made);
    return made;
  }

  async #makePhoto(name: PhotoName): Promise<PhotoFile> {
    const path = join(this.folder, `${name}.jpg`);
    const { bytes, serialAt } = await makePhoto(PHOTO_SHAPES[name]);
    await writeFile(path, bytes);
    return { path, serialAt };
  }

  async photoBytes(name: PhotoName): Promise<Buffer> {
    return await readFile((await this.photo(name)).path);
  }

  /** GETs of these paths in turn, relative to the service. Each response must have status 200. */
  getJob(
    { url }: Server,
    paths: readonly string[],
    job: Pick<GetJob, 'connections' | 'atLeastBytes'>,
  ): GetJob {
    const requests = paths.map((path) => ({ url: url + path, headers: this.authorization }));
    return { kind: 'get', requests, seconds: this.seconds, status: 200, ...job };
  }

  async uploadJob(
    server: Server,
    name: PhotoName,
    job: Pick<UploadJob, 'connections' | 'seconds' | 'atMost' | 'view'>,
  ): Promise<UploadJob> {
    const { path, serialAt } = await this.photo(name);
    return {
      kind: 'upload',
      url: `${server.url}api/upload`,
      headers: this.authorization,
      photo: path,
      serialAt,
      ...job,
    };
  }

  /** Uploads distinct copies of a photo. In an empty catalog they get the ids from 1 on. */
  async upload(server: Server, name: PhotoName, count: number): Promise<void> {
    const job = await this.uploadJob(server, name, { connections: 4, seconds: 120, atMost: count });
    const { requests, errors } = await this.generator.perform(job);
    if (requests !== count) throw new Error(`${requests} of ${count} uploads: ${errors.join('; ')}`);
  }
}
