import type { Config } from './config.ts';

const WILDCARD_HOSTS = ['0.0.0.0', '[::]'];

/** The public address of the API: `API_URL`, else that of its listener. */
export class ApiAddress {
  #port: number;

  constructor(private readonly config: Pick<Config, 'apiUrl' | 'listener'>) {
    this.#port = config.listener.port;
  }

  /** With `PORT=0` the port is known only now. */
  listensOn(port: number): void {
    this.#port = port;
  }

  /** With a slash at its end. */
  get url(): string {
    const { apiUrl, listener } = this.config;
    if (apiUrl !== undefined) return apiUrl;
    if (this.#port === 0) throw new TypeError('The API does not listen yet');
    return addressOf(listener.host, this.#port);
  }
}

function addressOf(host: string, port: number): string {
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
  if (WILDCARD_HOSTS.includes(url.hostname)) url.hostname = 'localhost';
  return url.href;
}
