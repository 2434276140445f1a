import * as z from 'zod';
import { quote } from '../../doctor/check-result.ts';
import { withSlash } from '../../doctor/with-slash.ts';
import { CommandRefused } from '../command-line/command-refused.ts';
import { EXIT_CONFIG } from '../command-line/exit-codes.ts';
import type { Provider } from './providers.ts';

const DIFFERS =
  'must be a text without quotes, backslashes, backticks, dollar signs, number signs and control characters';

/**
 * A value that every reader of environment files takes unchanged from an unquoted line. Docker keeps quotes, systemd removes
 * backslashes, Compose replaces what begins with a dollar sign, and Node.js ends the value at a number sign.
 */
export const portableValue = z
  .string()
  .trim()
  .regex(/^[^"'`\\$#\p{Cc}\p{Cs}]*$/u, DIFFERS);

export interface Answers {
  readonly provider: Provider;
  /** As the provider names it. */
  readonly issuer: string;
  /** What its access tokens name, if that is another one. */
  readonly tokenIssuer?: string | undefined;
  readonly jwksUri: string;
  /** Of the token endpoint, if it has another one than the issuer. */
  readonly connectOrigin?: string | undefined;
  readonly audience: string;
  /** Of the gallery; empty: it offers no sign-in. */
  readonly client: string;
  readonly publishNames: boolean;
}

/** The variables that the file sets, by name. */
export function settingsOf(answers: Answers): Readonly<Record<string, string>> {
  const { provider, issuer, tokenIssuer = issuer, jwksUri, audience, client, connectOrigin } = answers;
  const domain = withSlash(issuer);
  return {
    IDP_DOMAIN: domain,
    ...(tokenIssuer !== domain && { IDP_ISSUER: tokenIssuer }),
    ...(jwksUri !== `${domain}.well-known/jwks.json` && { IDP_JWKS_URI: jwksUri }),
    IDP_AUDIENCE: audience,
    WEB_PORT: '3002',
    ...(client !== '' && { WEB_CLIENT_ID: client }),
    WEB_SCOPE: provider.scope,
    ...(connectOrigin !== undefined && { WEB_CONNECT_ORIGINS: connectOrigin }),
    ...(provider.needsResource && URL.canParse(audience) && { WEB_RESOURCE: audience }),
    TRASH_DAYS: '30',
    ...(answers.publishNames && { PUBLISH_NAMES: 'true' }),
  };
}

/**
 * The text of a `.env` file, which Node.js, Compose, systemd and `docker run --env-file` read alike.
 *
 * @throws {CommandRefused} if they would read one of the values differently
 */
export function envFile(answers: Answers): string {
  const { provider } = answers;
  const settings = settingsOf(answers);
  const line = (variable: string): string => lineOf(variable, settings[variable]);
  return `# Made by image-catalog init for ${provider.name}. Variables of the process take precedence. docs/settings.md and .env.example
# of the package have all variables, docs/providers.md what to set at the provider. "image-catalog doctor" checks this file.

# The issuer, with a slash at its end.
${line('IDP_DOMAIN')}
# The issuer as access tokens name it, if that is another text.
${line('IDP_ISSUER')}
# The keys of the provider, if they are not at IDP_DOMAIN + .well-known/jwks.json.
${line('IDP_JWKS_URI')}
# What aud of an access token must be or contain: ${provider.audience}.
${line('IDP_AUDIENCE')}

# The gallery, on http://localhost:3002/. Behind a proxy: its public address and that of the API, each with a slash at its end.
${line('WEB_PORT')}
# WEB_URL=https://images.example.com/
# API_URL=https://images.example.com/
# The gallery's client at the provider: ${provider.client}.
${line('WEB_CLIENT_ID')}
${line('WEB_SCOPE')}
# The origin of the provider's token endpoint, if that is not the origin of the issuer: browsers refuse others.
${line('WEB_CONNECT_ORIGINS')}
# What the gallery sends as resource (RFC 8707), for providers that ignore audience.
${line('WEB_RESOURCE')}
# The name of the catalog, for people.
# WEB_TITLE=

# The scope that a token needs to delete. Without it every valid token may delete every image.
# SCOPE_DELETE=images:delete
# For this many days, deleted images can be restored.
${line('TRASH_DAYS')}
# true lets names have public addresses, which need no token.
${line('PUBLISH_NAMES')}
# The scope that a token needs to make a name public. Without it every valid token that may write can.
# SCOPE_PUBLISH=images:publish
`;
}

/**
 * A variable without a value is a comment.
 *
 * @throws {CommandRefused} if readers of the file would take the value differently
 */
function lineOf(variable: string, value: string | undefined): string {
  if (value === undefined) return `# ${variable}=`;
  const { success, data } = portableValue.safeParse(value);
  if (success) return `${variable}=${data}`;
  throw new CommandRefused(
    EXIT_CONFIG,
    `Nothing was written, because Node.js, Compose, systemd and Docker would read ${variable} differently: it is ${quote(value)}, and ${DIFFERS}.`,
  );
}
