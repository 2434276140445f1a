import { AccessTokens, type ShowCode } from '../../adapters/openid/access-tokens.ts';
import type { Environment } from '../config/variable-table.ts';
import { UsageError } from './command-line/usage-error.ts';

const CREDENTIALS =
  'Set CATALOG_ISSUER and CATALOG_CLIENT_ID, and CATALOG_CLIENT_SECRET unless a person is to confirm a code in a browser; or CATALOG_TOKEN';

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
  return async () => await tokens.next();
}
