import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { jwk, rsaKey, type TestKey } from '../fixtures/tokens.ts';
import { closeServer, listenOnLoopback } from './loopback.ts';

/** Hosts that no name service knows. */
const HOSTS = ['keys.invalid', 'hooks.invalid', 'store.invalid'];

/** A proxy that leads to one server with a private certificate, whatever the host. It is the only way to these hosts. */
export class CompanyNetwork {
  /** Host and port of each tunnel that was asked for. */
  readonly tunnels: string[] = [];
  readonly signingKey: TestKey = rsaKey('company');

  private readonly sockets: Socket[] = [];

  private constructor(
    /** Without a scheme, as many write it. */
    readonly proxy: string,
    /** The file of the certificate that must be trusted. */
    readonly certificate: string,
    private readonly servers: ReadonlyArray<ReturnType<typeof createServer>>,
  ) {}

  /** @param folder for the certificate */
  static async start(folder: string): Promise<CompanyNetwork> {
    const files = makeCertificate(folder);
    const [key, cert] = [readFileSync(files.key), readFileSync(files.certificate)];
    const origin = createSecureServer({ key, cert }, (request, response) => {
      if (request.url === '/.well-known/jwks.json') response.end(JSON.stringify({ keys: network.keys }));
      else response.writeHead(request.method === 'POST' ? 204 : 403).end();
    });
    const port = await listenOnLoopback(origin);
    const proxy = createServer((_, response) => response.writeHead(405).end());
    proxy.on('connect', ({ url = '' }, client: Socket) => {
      network.tunnels.push(url);
      const server = connect(port, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'));
      server.on('error', () => {}).once('close', () => client.destroy());
      client.on('error', () => {}).once('close', () => server.destroy());
      network.sockets.push(client);
      server.pipe(client).pipe(server);
    });
    const address = `127.0.0.1:${await listenOnLoopback(proxy)}`;
    const network = new CompanyNetwork(address, files.certificate, [proxy, origin]);
    return network;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    for (const server of this.servers) await closeServer(server);
  }

  private get keys(): readonly object[] {
    return [jwk(this.signingKey)];
  }
}

function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, 'company.key'), join(folder, 'company.pem')];
  const names = HOSTS.map((host) => `DNS:${host}`).join();
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=Company'];
  const output = ['-keyout', key, '-out', certificate, '-addext', `subjectAltName=${names}`];
  execFileSync('openssl', [...request, ...output], { stdio: 'ignore' });
  return { key, certificate };
}
