import { openApiDocument } from '../../../src/adapters/http/openapi/openapi-document.ts';
import { operationsOf } from '../../../src/adapters/http/routes.ts';
import { parseConfig } from '../../../src/infrastructure/config/config.ts';
import { PublicAddress } from '../../../src/infrastructure/start/public-address.ts';

/** The document of a service with no more than the required configuration. */
export function defaultDocument({ redirects = false } = {}): object {
  const config = parseConfig({ IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'images' });
  const operations = operationsOf({ ...config, redirects, links: false });
  const apiUrl = new PublicAddress(config.apiUrl, config.listener).url;
  return openApiDocument(operations, { ...config, apiUrl });
}

/** That of a configuration, of a service with links. */
export function documentOf(variables: Readonly<Record<string, string>>, redirects = false): object {
  const idp = { IDP_DOMAIN: 'https://tenant.example.com/', IDP_AUDIENCE: 'images' };
  const config = parseConfig({ ...idp, ...variables });
  const operations = operationsOf({ ...config, redirects, links: true });
  return openApiDocument(operations, { ...config, apiUrl: 'http://localhost:3000/' });
}

/** `docs/openapi.json`. */
export const COMMITTED_DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);

export function committedText(): string {
  return `${JSON.stringify(defaultDocument(), undefined, 2)}\n`;
}
