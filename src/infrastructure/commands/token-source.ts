import { CatalogError } from '../../../client/src/catalog-error.ts';
import { AccessTokens, type ProviderSettings, type ShowCode } from '../../adapters/openid/access-tokens.ts';
import type { Environment } from '../config/variable-table.ts';
import { UsageError } from './command-line/usage-error.ts';

const CREDENTIALS =
  'Set CATALOG_ISSUER and CATALOG_CLIENT_ID, and CATALOG_CLIENT_SECRET unless a person is to confirm a code in a browser; or CATALOG_TOKEN';

const AUDIENCE = 'CATALOG_AUDIENCE';
const RESOURCE = 'CATALOG_RESOURCE';
/** Header, payload and signature: RFC 7515, section 7.1. */
const JWT_PARTS = 3;

/**
 * The token that the environment has, or those that its provider gives. An empty variable counts as not set.
 *
 * @throws {UsageError}
 */
export function tokenSource(environment: Environment, showCode: ShowCode): () => Promise<string> {
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
  const tokens = new AccessTokens(settings, showCode);
  return async () => {
    const accessToken = await tokens.next();
    if (accessToken.split('.').length !== JWT_PARTS) throw opaqueToken(settings);
    return accessToken;
  };
}

function opaqueToken(settings: Pick<ProviderSettings, 'audience' | 'resource'>): CatalogError {
  return new CatalogError(
    `The identity provider gave an opaque access token, and the service accepts only JWTs: ${adviceFor(settings)}`,
    { code: 'token_refused', status: 401 },
  );
}

/** Which variable is missing. Most providers make a JWT only for a request that names the audience in the way they read. */
function adviceFor({ audience, resource }: Pick<ProviderSettings, 'audience' | 'resource'>): string {
  if (audience !== undefined && resource !== undefined) {
    return 'let the provider issue JWT access tokens for this audience';
  }
  if (audience === undefined && resource === undefined) {
    return 'set CATALOG_AUDIENCE or CATALOG_RESOURCE, whichever the provider reads, to the audience of the service';
  }
  const [missing, given] = audience === undefined ? [AUDIENCE, RESOURCE] : [RESOURCE, AUDIENCE];
  return `${missing} is not set, and many providers ignore ${given}: set it to the audience of the service`;
}
