import { InvalidConfig } from './invalid-config.ts';

/** In the order in which Node.js looks them up. */
export const PROXY_VARIABLES = ['https_proxy', 'HTTPS_PROXY'] as const;

/**
 * The address of a proxy for https as Node.js takes it. As for curl, the scheme may be missing.
 *
 * @throws {InvalidConfig} The message does not repeat the value, which may hold a password.
 */
export function proxyUrl(name: string, value: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new InvalidConfig([
    `${name} must be the URL of a proxy for HTTP, such as http://proxy.example.com:3128`,
  ]);
}

/** Whether agents of this Node.js can use a proxy: from 22.21 and 24.5 on. */
export function canUseProxies(): boolean {
  return process.allowedNodeEnvironmentFlags.has('--use-env-proxy');
}
