import { ImageCatalog } from '../../../client/src/node.ts';
import { AccessTokens } from '../../adapters/openid/access-tokens.ts';
import { UsageError } from './command-line/usage-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

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
  const address = url ?? given(environment, 'CATALOG_URL');
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

function tokenSource(environment: Environment): () => Promise<string> {
  const token = given(environment, 'CATALOG_TOKEN');
  if (token !== undefined) return async () => token;
  const issuer = given(environment, 'CATALOG_ISSUER');
  const clientId = given(environment, 'CATALOG_CLIENT_ID');
  if (issuer === undefined || clientId === undefined) throw new UsageError(CREDENTIALS);
  if (!URL.canParse(issuer)) throw new UsageError('CATALOG_ISSUER must be an address');
  const settings = {
    issuer,
    clientId,
    clientSecret: given(environment, 'CATALOG_CLIENT_SECRET'),
    audience: given(environment, 'CATALOG_AUDIENCE'),
    resource: given(environment, 'CATALOG_RESOURCE'),
    scope: given(environment, 'CATALOG_SCOPE'),
  };
  const tokens = new AccessTokens(settings, ({ address, userCode }) =>
    console.error(`Open ${address} and confirm the code ${userCode}`),
  );
  return async () => await tokens.next();
}

/** An empty variable counts as not set. */
function given(environment: Environment, name: string): string | undefined {
  const value = environment[name];
  return value === '' ? undefined : value;
}
