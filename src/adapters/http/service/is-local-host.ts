import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** @param host that a server listens on */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' || (isIP(host) !== 0 && LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
  );
}

const HOST = /^(?:\[(?<ipv6>.*)\]|(?<name>[^:]*))(?::\d*)?$/;

/**
 * Whether a `Host` can be of a page of this machine. A page of another name got the address of loopback from its own DNS
 * server (DNS rebinding), and browsers would let it read the response.
 *
 * @param header `undefined` in requests of HTTP/1.0, which no browser sends
 */
export function isLocalHost(header: string | undefined): boolean {
  if (header === undefined) return true;
  const { ipv6 = '', name = '' } = HOST.exec(header)?.groups ?? {};
  return isIP(ipv6) === 6 || isIP(name) === 4 || name.toLowerCase() === 'localhost';
}
