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

/** `docs/openapi.json`. */
export const COMMITTED_DOCUMENT = new URL('../../../docs/openapi.json', import.meta.url);

export function committedText(): string {
  return `${JSON.stringify(defaultDocument(), undefined, 2)}\n`;
}
