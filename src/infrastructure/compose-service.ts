import type Koa from 'koa';
import type { Logger } from 'pino';
import { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { HttpApi } from '../adapters/http/create-http-api.ts';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import { PrerenderUploads } from '../application/prerender-uploads.ts';
import type { UuidGenerator } from '../domain/ports/uuid-generator.ts';
import { CatalogStorage } from './catalog-storage.ts';
import type { Config } from './config.ts';
import { createContainer } from './container.ts';
import type { PublicAddress } from './public-address.ts';
import { TOKENS } from './tokens.ts';

export interface HttpParts {
  readonly app: Koa;
  readonly managementApp: Koa;
  readonly webApp: HttpApi['webApp'];
  readonly apiAddress: PublicAddress;
  readonly webAddress: PublicAddress;
  readonly signingKeys: SigningKeys;
  readonly uuids: UuidGenerator;
  readonly prerenderUploads: PrerenderUploads;
}

/** Call `http` once the storage is prepared. */
export function composeService(
  config: Config,
  log: Logger,
  tracing?: OpenTelemetry,
): { readonly storage: CatalogStorage; readonly http: () => HttpParts } {
  const container = createContainer(config, log, tracing);
  const http = (): HttpParts => ({
    app: container.get(TOKENS.app),
    managementApp: container.get(TOKENS.managementApp),
    webApp: container.get(TOKENS.httpApi).webApp,
    apiAddress: container.get(TOKENS.apiAddress),
    webAddress: container.get(TOKENS.webAddress),
    signingKeys: container.get(SigningKeys),
    uuids: container.get(TOKENS.uuids),
    prerenderUploads: container.get(PrerenderUploads),
  });
  return { storage: new CatalogStorage(container), http };
}
