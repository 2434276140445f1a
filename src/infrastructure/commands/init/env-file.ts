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
  readonly jwksUri: string;
  readonly audience: string;
  /** Of the gallery; empty: it offers no sign-in. */
  readonly client: string;
}

/**
 * The text of a `.env` file, which Node.js, Compose, systemd and `docker run --env-file` read alike.
 *
 * @throws {CommandRefused} if they would read one of the values differently
 */
export function envFile({ provider, issuer, jwksUri, audience, client }: Answers): string {
  const domain = withSlash(issuer);
  const usual = `${domain}.well-known/jwks.json`;
  return `# Made by image-catalog init for ${provider.name}. Variables of the process take precedence. docs/settings.md and .env.example
# of the package have all variables, docs/providers.md what to set at the provider. "image-catalog doctor" checks this file.

# The issuer, with a slash at its end.
${line('IDP_DOMAIN', domain)}
# The issuer as the tokens name it, if it has no slash at its end.
${issuer === domain ? '# IDP_ISSUER=' : line('IDP_ISSUER', issuer)}
# The keys of the provider, if they are not at IDP_DOMAIN + .well-known/jwks.json.
${jwksUri === usual ? '# IDP_JWKS_URI=' : line('IDP_JWKS_URI', jwksUri)}
# What aud of an access token must be or contain: ${provider.audience}.
${line('IDP_AUDIENCE', audience)}

# The gallery, on http://localhost:3002/. Behind a proxy: its public address and that of the API, each with a slash at its end.
WEB_PORT=3002
# WEB_URL=https://images.example.com/
# API_URL=https://images.example.com/
# The gallery's client at the provider: ${provider.client}.
${client === '' ? '# WEB_CLIENT_ID=' : line('WEB_CLIENT_ID', client)}
${line('WEB_SCOPE', provider.scope)}
# The name of the catalog, for people.
# WEB_TITLE=

# The scope that a token needs to delete. Without it every valid token may delete every image.
# SCOPE_DELETE=images:delete
# For this many days, deleted images can be restored.
TRASH_DAYS=30
`;
}

function line(variable: string, value: string): string {
  const { success, data } = portableValue.safeParse(value);
  if (success) return `${variable}=${data}`;
  throw new CommandRefused(
    EXIT_CONFIG,
    `Nothing was written, because Node.js, Compose, systemd and Docker would read ${variable} differently: it is ${quote(value)}, and ${DIFFERS}.`,
  );
}
