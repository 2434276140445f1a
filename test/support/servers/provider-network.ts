import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as Tls from 'node:tls';
import type { Setups } from '../fixtures/provider-setups/provider-setup.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';

/** What `import` gives is a copy, in which nothing can be replaced. */
const tls = createRequire(import.meta.url)('node:tls') as typeof Tls;

/**
 * The hosts of identity providers under their real names. While it runs, TLS connections of this process lead to a server on
 * loopback, whatever the host, and trust its certificate only.
 */
export class ProviderNetwork {
  private constructor(
    private readonly server: ReturnType<typeof createServer>,
    private readonly connect: typeof tls.connect,
  ) {}

  /** @param folder for the certificate */
  static async start(folder: string, setups: Setups): Promise<ProviderNetwork> {
    const pages = pagesOf(setups);
    const [key, cert] = certificateFor(folder, [...pages.keys()]);
    const server = createServer({ key, cert }, ({ url = '', headers }, response) => {
      const page = pages.get(`https://${headers.host}${url}`);
      if (page === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
    });
    const port = await listenOnLoopback(server);
    const network = new ProviderNetwork(server, tls.connect);
    tls.connect = ((options: Tls.ConnectionOptions) =>
      network.connect({
        ...options,
        host: '127.0.0.1',
        port,
        servername: String(options.servername ?? options.host),
        ca: cert,
      })) as typeof tls.connect;
    return network;
  }

  async stop(): Promise<void> {
    tls.connect = this.connect;
    await closeServer(this.server);
  }
}

/** By address. */
function pagesOf(setups: Setups): ReadonlyMap<string, object> {
  const pages = Object.values(setups).flatMap(({ documents, keys }) => [
    ...Object.entries(documents).map(([issuer, document]): [string, object] => [
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      document,
    ]),
    ...Object.entries(keys),
  ]);
  return new Map(pages);
}

function certificateFor(
  folder: string,
  addresses: readonly string[],
): readonly [key: Buffer, certificate: Buffer] {
  const [key, certificate] = [join(folder, 'providers.key'), join(folder, 'providers.pem')];
  const hosts = [...new Set(addresses.map((address) => new URL(address).hostname))];
  const names = hosts.map((host) => `DNS:${host}`).join();
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Providers'];
  const output = ['-keyout', key, '-out', certificate, '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', [...request, ...output], { stdio: 'ignore' });
  return [readFileSync(key), readFileSync(certificate)];
}
