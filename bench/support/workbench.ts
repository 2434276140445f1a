import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UploadJob } from './jobs.ts';
import { LoadGenerator } from './load-generator.ts';
import { makePhoto, PHOTO_SHAPES, type PhotoName } from './make-photos.ts';
import { type Server, type ServerOptions, startScript, startService } from './server.ts';

export interface WorkbenchOptions {
  readonly rounds: number;
  /** Shorter runs, and only those that a target is set for. */
  readonly quick: boolean;
}

interface PhotoFile {
  readonly path: string;
  readonly serialAt: number;
}

const IDENTITY_PROVIDER = new URL('identity-provider.ts', import.meta.url);

/** Spelt out, for the tools that look for files that nobody uses. */
const BASELINES = {
  bytes: new URL('../baselines/bytes.ts', import.meta.url),
  listing: new URL('../baselines/listing.ts', import.meta.url),
  nginx: new URL('../baselines/nginx.ts', import.meta.url),
  record: new URL('../baselines/record.ts', import.meta.url),
  upload: new URL('../baselines/upload.ts', import.meta.url),
} as const;

const SERVICE_BEHIND_NGINX = new URL('service-behind-nginx-main.ts', import.meta.url);

export type BaselineName = keyof typeof BASELINES;

/** What every scenario needs: a folder, an identity provider, a load generator, photos. */
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

  static async set(options: WorkbenchOptions): Promise<Workbench> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'image-catalog-bench-')));
    // Gigabytes may be in it. Processes that were started end themselves with this one, if it comes to an `exit`.
    process.once('exit', () =>
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
    );
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
    const provider = await startScript(IDENTITY_PROVIDER, [], { folder });
    return new Workbench(options, LoadGenerator.start(), folder, provider);
  }

  /** Ends all that was started and removes all that was written. */
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

  /** Seconds of one run. */
  get seconds(): number {
    return this.options.quick ? 2 : 4;
  }

  get issuer(): string {
    return String(this.provider.greeting['issuer']);
  }

  get audience(): string {
    return String(this.provider.greeting['audience']);
  }

  get authorization(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${String(this.provider.greeting['token'])}` };
  }

  /** A fresh one. */
  async makeFolder(name: string): Promise<string> {
    const path = join(this.folder, `${this.#folders++}-${name}`);
    await mkdir(path);
    return path;
  }

  /** What a service needs to know of the identity provider. */
  get serviceEnvironment(): Readonly<Record<string, string>> {
    return { IDP_DOMAIN: this.issuer, IDP_AUDIENCE: this.audience };
  }

  async startService(folder: string, options: Partial<ServerOptions> = {}): Promise<Server> {
    const env = { ...this.serviceEnvironment, ...options.env };
    return this.#keep(await startService({ ...options, folder, env }));
  }

  /** nginx sends the bytes; see `deploy/nginx.conf`. */
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

  /** Made at first use. */
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

  async uploadJob(
    server: Server,
    name: PhotoName,
    job: Pick<UploadJob, 'connections' | 'seconds' | 'atMost'>,
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

  /** Puts some copies of a photo into a fresh catalog: they get the ids from 1 on. */
  async upload(server: Server, name: PhotoName, count: number): Promise<void> {
    const job = await this.uploadJob(server, name, { connections: 4, seconds: 120, atMost: count });
    const { requests, errors } = await this.generator.perform(job);
    if (requests !== count) throw new Error(`${requests} of ${count} uploads: ${errors.join('; ')}`);
  }
}
