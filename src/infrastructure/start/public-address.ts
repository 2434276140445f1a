const WILDCARD_HOSTS = ['0.0.0.0', '[::]'];

interface Listener {
  readonly host: string;
  readonly port: number;
}

/** Of the listeners. */
export interface PublicAddresses {
  readonly api: PublicAddress;
  readonly web: PublicAddress;
}

/** Where clients reach a listener: the configured URL, else the address of the listener. */
export class PublicAddress {
  private port: number | undefined;

  /**
   * @param configured with a slash at its end
   * @param listener `undefined` if it is off
   */
  constructor(
    private readonly configured: string | undefined,
    private readonly listener: Listener | undefined,
  ) {}

  /** With port 0 the port is known only now. */
  listensOn(port: number): void {
    this.port = port;
  }

  /** `false` if there is neither a URL nor a listener. */
  get exists(): boolean {
    return this.configured !== undefined || this.listener !== undefined;
  }

  /** With a slash at its end. */
  get url(): string {
    const { configured, listener } = this;
    if (configured !== undefined) return configured;
    const port = this.port ?? listener?.port;
    if (listener === undefined || !port) throw new TypeError('The listener does not listen yet, or is off');
    return addressOf(listener.host, port);
  }
}

function addressOf(host: string, port: number): string {
  const url = new URL(`http://${host.includes(':') ? `[${host}]` : host}:${port}/`);
  if (WILDCARD_HOSTS.includes(url.hostname)) url.hostname = 'localhost';
  return url.href;
}
