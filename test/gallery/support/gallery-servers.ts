import { DEMO_CLIENT, DEMO_GALLERY_CLIENT_ID } from '../../../demo/demo-client.ts';
import { type IdentityProvider, startIdentityProvider } from '../../../demo/identity-provider.ts';
import { SystemClock } from '../../../src/adapters/system/system-clock.ts';
import { temporaryFolder } from '../../support/fixtures/temporary-folder.ts';
import { CatalogClient, requestToken } from '../../support/http/catalog-client.ts';
import { openByEnvironment } from '../../support/http/test-storage.ts';
import type { ServicePorts } from '../../support/servers/compressing-proxy.ts';
import { lastingPort } from '../../support/servers/lasting-port.ts';
import {
  type Environment,
  type RunningService,
  startService,
} from '../../support/servers/service-process.ts';
import type { PickedFile } from './gallery-pictures.ts';

const SCOPES = ['images:read', 'images:write', 'images:delete', 'images:publish'] as const;

export type Scope = (typeof SCOPES)[number];

export interface GalleryServersOptions {
  /** Of the gallery's tokens. */
  readonly accessTokenLifetimeSeconds?: number;
  /** Further settings of the service. */
  readonly env?: Environment;
  /** Starts a proxy in front of the service on this port. Then the gallery and the API have its origin. */
  readonly openFront?: (service: ServicePorts, port: number) => Promise<{ stop(): Promise<void> }>;
}

/** The built service with its web listener, and the identity provider of the demo, on ports that survive a restart. */
export class GalleryServers {
  /** What the gallery asks for. */
  readonly scopes: readonly Scope[] = SCOPES;
  #service: RunningService | undefined;

  private constructor(
    /** Where the gallery is; with a trailing slash. */
    readonly url: string,
    readonly provider: IdentityProvider,
    private readonly launch: (env: Environment) => Promise<RunningService>,
    private readonly tearDown: () => Promise<void>,
  ) {}

  static async start(options: GalleryServersOptions = {}): Promise<GalleryServers> {
    const { accessTokenLifetimeSeconds = 3600, env = {}, openFront } = options;
    const [port, webPort, providerPort] = [await lastingPort(), await lastingPort(), await lastingPort()];
    const frontPort = openFront && (await lastingPort());
    const url = `http://127.0.0.1:${frontPort ?? webPort}/`;
    const storage = await openByEnvironment(new SystemClock());
    const folder = await temporaryFolder();
    const provider = await startIdentityProvider({
      ...DEMO_CLIENT,
      port: providerPort,
      scopes: SCOPES,
      gallery: { clientId: DEMO_GALLERY_CLIENT_ID, url },
      accessTokenLifetimeSeconds,
    });
    const environment = {
      ...storage.environment,
      PORT: String(port),
      WEB_HOST: '127.0.0.1',
      WEB_PORT: String(webPort),
      WEB_CLIENT_ID: DEMO_GALLERY_CLIENT_ID,
      WEB_SCOPE: ['openid', 'offline_access', ...SCOPES].join(' '),
      SCOPE_READ: 'images:read',
      SCOPE_WRITE: 'images:write',
      SCOPE_DELETE: 'images:delete',
      CATALOG_TIMEZONE: 'UTC',
      IDP_DOMAIN: provider.issuer,
      IDP_AUDIENCE: DEMO_CLIENT.audience,
      ...(openFront && { WEB_URL: url, API_URL: url }),
      ...env,
    };
    const front =
      frontPort === undefined ? undefined : await openFront?.({ api: port, web: webPort }, frontPort);
    const servers = new GalleryServers(
      url,
      provider,
      async (more) => await startService({ folder: folder.path, env: { ...environment, ...more } }),
      async () => {
        await front?.stop();
        await provider.close();
        await storage.tearDown();
        await folder.remove();
      },
    );
    try {
      await servers.startService();
      return servers;
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** Starts the service again on the same ports and storage. */
  async startService(env: Environment = {}): Promise<void> {
    this.#service = await this.launch(env);
  }

  /** SIGTERM stops after the requests under way; SIGKILL cuts them off. */
  async stopService(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    await this.#service?.process.stop(signal);
    this.#service = undefined;
  }

  /** The address of the API. */
  get apiUrl(): string {
    if (this.#service === undefined) throw new Error('The service does not run');
    return this.#service.url;
  }

  /** A client with all scopes, beside the gallery. */
  async client(): Promise<CatalogClient> {
    return new CatalogClient(this.apiUrl, await requestToken(this.provider.issuer, DEMO_CLIENT));
  }

  /** One after another, so that the first has the lowest id. */
  async upload(pictures: ReadonlyArray<Pick<PickedFile, 'name' | 'buffer'>>): Promise<void> {
    const catalog = await this.client();
    for (const { name, buffer } of pictures) await catalog.upload(new Uint8Array(buffer), name);
  }

  /** What the service has printed since its last start, for messages. */
  get log(): string {
    return this.#service?.process.output ?? '';
  }

  async stop(): Promise<void> {
    await this.stopService('SIGKILL');
    await this.tearDown();
  }
}
