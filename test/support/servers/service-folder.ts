import { readdir } from 'node:fs/promises';
import { ImageCatalog, type ImageRecord } from '../../../client/src/node.ts';
import { collectAll } from '../fixtures/collect-all.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';
import { jwk, rsaKey, signToken, type TestKey } from '../fixtures/tokens.ts';
import { CatalogClient } from '../http/catalog-client.ts';
import { type CommandResult, runInThisProcess } from './command-in-process.ts';
import {
  blobFolder,
  commandEnvironment,
  type Environment,
  type Exit,
  type NodeProcess,
  type RunningService,
  spawnCommand,
  spawnService,
  whenListening,
} from './service-process.ts';
import { publish, SigningKeyServer } from './signing-key-server.ts';

const AUDIENCE = 'https://images.example.test/api';
const TOKEN_SECONDS = 24 * 3600;
/** Each takes CPU time to start. */
const FEW_DECODERS = { DECODERS: '2' };

/** A folder for a catalog, an identity provider, and the services that a test starts on them. */
export class ServiceFolder {
  readonly #processes = new Set<NodeProcess>();

  private constructor(
    readonly path: string,
    readonly token: string,
    private readonly identityProvider: SigningKeyServer,
    private readonly removeFolder: () => Promise<void>,
  ) {}

  /** @param path of a folder that the caller removes; by default a temporary one */
  static async open(path?: string): Promise<ServiceFolder> {
    const folder = path === undefined ? await temporaryFolder() : { path, remove: async () => {} };
    const identityProvider = await SigningKeyServer.start(publish([jwk(signingKey())]));
    const token = tokenOf(identityProvider);
    return new ServiceFolder(folder.path, token, identityProvider, () => folder.remove());
  }

  /** The `iss` of its tokens. */
  get issuer(): string {
    return this.identityProvider.domain;
  }

  /** With further claims, such as that of a space; `undefined` leaves one out. */
  tokenWith(claims: Readonly<Record<string, unknown>>, key?: TestKey): string {
    return tokenOf(this.identityProvider, claims, key);
  }

  /** The settings of a service other than its storage. */
  get env(): Environment {
    return { ...FEW_DECODERS, IDP_DOMAIN: this.issuer, IDP_AUDIENCE: AUDIENCE };
  }

  /** @param options such as another folder than that of the catalog */
  async start(
    env: Environment = {},
    options: { readonly folder?: string; readonly through?: readonly string[] } = {},
  ): Promise<RunningService> {
    const process = spawnService({ folder: this.path, ...options, env: { ...this.env, ...env } });
    this.#processes.add(process);
    return await whenListening(process);
  }

  /** Starts a service that may fail to start. */
  spawn(env: Environment = {}): NodeProcess {
    const process = spawnService({ folder: this.path, env: { ...this.env, ...env } });
    this.#processes.add(process);
    return process;
  }

  /** For tests that compare statuses. */
  client(service: RunningService, token = this.token): CatalogClient {
    return new CatalogClient(service.url, token);
  }

  /** Rejects with the first error, without a retry. */
  images(service: RunningService): ImageCatalog {
    return new ImageCatalog({ url: service.url, getToken: () => this.token, retries: 0 });
  }

  /** All records of a service, by ascending id. */
  async records(service: RunningService): Promise<readonly ImageRecord[]> {
    return await collectAll(this.images(service).list());
  }

  /** Runs a command to its end, in the process of the tests. */
  async run(args: readonly string[], env: Environment = {}, folder = this.path): Promise<CommandResult> {
    return await runInThisProcess(
      args,
      commandEnvironment({ folder, env: { ...FEW_DECODERS, ...env } }),
      folder,
    );
  }

  /** The same with the built command in a process of its own. */
  async runProcess(
    args: readonly string[],
    env: Environment = {},
    folder = this.path,
  ): Promise<CommandResult> {
    const process = this.spawnCommand(args, env, folder);
    const { code }: Exit = await process.exited;
    return { code, stdout: process.stdout, stderr: process.stderr };
  }

  spawnCommand(
    args: readonly string[],
    env: Environment = {},
    folder = this.path,
    through: readonly string[] = [],
  ): NodeProcess {
    const process = spawnCommand(args, { folder, through, env: { ...FEW_DECODERS, ...env } });
    this.#processes.add(process);
    return process;
  }

  /** The names of all files below the blob folder: blobs, staged files and any others. */
  async blobFiles(): Promise<readonly string[]> {
    const entries = await readdir(blobFolder(this.path), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  async stopAll(): Promise<void> {
    for (const process of this.#processes) await process.stop('SIGKILL');
    this.#processes.clear();
  }

  async close(): Promise<void> {
    await this.stopAll();
    await this.identityProvider.stop();
    await this.removeFolder();
  }
}

function tokenOf(
  { domain }: SigningKeyServer,
  claims: Readonly<Record<string, unknown>> = {},
  key = signingKey(),
): string {
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  return signToken({ iss: domain, aud: AUDIENCE, sub: 'alice', exp, ...claims }, key);
}

function signingKey(): TestKey {
  return rsaKey('service-folder');
}
