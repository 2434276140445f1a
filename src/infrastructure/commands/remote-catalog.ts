import { ImageCatalog } from '../../../client/src/node.ts';
import { AccessTokens } from '../../adapters/openid/access-tokens.ts';
import type { Environment } from '../config/variable-table.ts';
import { UsageError } from './command-line/usage-error.ts';

export interface RemoteCatalog {
  readonly url: URL;
  readonly images: ImageCatalog;
}

const CREDENTIALS =
  'Set CATALOG_ISSUER and CATALOG_CLIENT_ID, and CATALOG_CLIENT_SECRET unless a person is to confirm a code in a browser; or CATALOG_TOKEN';

/**
 * @param url of `--url`; else CATALOG_URL
 * @param retries of a request; with 0 every refusal reaches the caller
 * @throws {UsageError}
 */
export function remoteCatalog(
  url: string | undefined,
  environment: Environment,
  retries: number,
): RemoteCatalog {
  const address = url ?? (environment.CATALOG_URL || undefined);
  if (address === undefined) throw new UsageError('--url (or CATALOG_URL) or --direct is required');
  if (!/^https?:/.test(address) || !URL.canParse(address)) {
    throw new UsageError('--url must be an http(s) address');
  }
  const parsed = new URL(address);
  return {
    url: parsed,
    images: new ImageCatalog({ url: parsed, getToken: tokenSource(environment), retries }),
  };
}

/** An empty variable counts as not set. */
function tokenSource(environment: Environment): () => Promise<string> {
  const { CATALOG_TOKEN: token, CATALOG_ISSUER: issuer, CATALOG_CLIENT_ID: clientId } = environment;
  if (token) return async () => token;
  if (!issuer || !clientId) throw new UsageError(CREDENTIALS);
  if (!URL.canParse(issuer)) throw new UsageError('CATALOG_ISSUER must be an address');
  const settings = {
    issuer,
    clientId,
    clientSecret: environment.CATALOG_CLIENT_SECRET || undefined,
    audience: environment.CATALOG_AUDIENCE || undefined,
    resource: environment.CATALOG_RESOURCE || undefined,
    scope: environment.CATALOG_SCOPE || undefined,
  };
  const tokens = new AccessTokens(settings, ({ address, userCode }) =>
    console.error(`Open ${address} and confirm the code ${userCode}`),
  );
  return async () => await tokens.next();
}
