import type { Logger } from 'pino';
import { SigningKeys } from '../adapters/http/auth/signing-keys.ts';
import type { OpenTelemetry } from '../adapters/opentelemetry/open-telemetry.ts';
import { ChangeTail } from '../application/changes/change-tail.ts';
import { PrerenderUploads } from '../application/upload/prerender-uploads.ts';
import { type CatalogStorage, storageIn } from './catalog-storage.ts';
import type { Config } from './config/config.ts';
import { createContainer } from './container.ts';
import { type Parts, partsOf } from './parts.ts';
import { TOKENS } from './tokens.ts';

const HTTP_PARTS = {
  api: TOKENS.httpApi,
  apiAddress: TOKENS.apiAddress,
  webAddress: TOKENS.webAddress,
  signingKeys: SigningKeys,
  uuids: TOKENS.uuids,
  timer: TOKENS.timer,
  telemetry: TOKENS.telemetry,
  prerenderUploads: PrerenderUploads,
  changeTail: ChangeTail,
  webhooks: TOKENS.webhookSenders,
} as const;

export type HttpParts = Parts<typeof HTTP_PARTS>;

/** Read the parts of `http` once the storage is prepared. */
export function composeService(
  config: Config,
  log: Logger,
  tracing?: OpenTelemetry,
): { readonly storage: CatalogStorage; readonly http: HttpParts } {
  const container = createContainer(config, log, tracing);
  return { storage: storageIn(container), http: partsOf(container, HTTP_PARTS) };
}
