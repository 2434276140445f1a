import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenHost {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Another origin that passes requests on to the identity provider: some have their token endpoint on a host of its own. */
export async function startTokenHost(issuer: string): Promise<TokenHost> {
  const server = createServer((asked, answered) => {
    const { method, headers, url = '/' } = asked;
    const target = new URL(url, issuer);
    const passed = request(target, { method, headers: { ...headers, host: target.host } }, (response) => {
      answered.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answered);
    });
    // The service may be stopped, and the page may be closed, while a request is under way.
    passed.on('error', () => answered.destroy());
    answered.on('close', () => passed.destroy());
    asked.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
