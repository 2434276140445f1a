import type { Container } from 'inversify';
import { SigningKeys } from '../../adapters/http/auth/signing-keys.ts';
import type { OffloadTarget } from '../../adapters/http/bytes/offload-to.ts';
import { createHttpApi } from '../../adapters/http/create-http-api.ts';
import { USE_CASES } from '../../adapters/http/use-cases.ts';
import type { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import { SubjectShares } from '../../application/concurrency/subject-shares.ts';
import type { StoreLinks } from '../../domain/ports/bytes/store-links.ts';
import type { Config } from '../config/config.ts';
import { partsOf } from '../parts.ts';
import { PublicAddress } from '../start/public-address.ts';
import { TOKENS } from '../tokens.ts';
import { spanned } from './watch-ports.ts';

const API_PARTS = {
  signingKeys: SigningKeys,
  staging: TOKENS.staging,
  database: TOKENS.images,
  blobStore: TOKENS.blobs,
  changePlaces: TOKENS.changePlaces,
  clock: TOKENS.clock,
  timer: TOKENS.timer,
  uuids: TOKENS.uuids,
  log: TOKENS.log,
  telemetry: TOKENS.telemetry,
} as const;

export function bindHttp(container: Container, tracing: OpenTelemetry | undefined): void {
  const { config, clock, log, apiAddress, webAddress } = TOKENS;
  container
    .bind(apiAddress)
    .toResolvedValue(({ apiUrl, listener }) => new PublicAddress(apiUrl, listener), [config]);
  container.bind(webAddress).toResolvedValue(({ web }) => new PublicAddress(web.url, web.listener), [config]);
  container
    .bind(TOKENS.changePlaces)
    .toResolvedValue(
      ({ changes: { streams } }) => new SubjectShares(streams, Math.ceil(streams / 2)),
      [config],
    );
  container.bind(SigningKeys).toResolvedValue(
    ({ idp }, time, events, { signingKeys }) =>
      new SigningKeys({
        jwksUri: idp.jwksUri,
        clock: time,
        log: events,
        watchFetch: (fetch) => signingKeys.count(() => spanned(tracing, 'fetch signing keys', fetch)),
      }),
    [config, clock, log, TOKENS.metrics],
  );
  container.bind(TOKENS.httpApi).toResolvedValue(
    (settings, api, web, store, { schemaGuard }) =>
      createHttpApi({
        ...partsOf(container, API_PARTS),
        apiUrl: () => api.url,
        webUrl: web.exists ? (): string => web.url : undefined,
        useCases: { ...partsOf(container, USE_CASES) },
        settings,
        offloadTarget: offloadTarget(settings, store.links),
        requireUsable: () => schemaGuard.requireUsable(),
      }),
    [config, apiAddress, webAddress, TOKENS.blobStore, TOKENS.database],
  );
}

function offloadTarget({ delivery }: Config, links: StoreLinks | undefined): OffloadTarget | undefined {
  if (delivery.kind === 'service') return undefined;
  if (delivery.kind === 'nginx') return delivery;
  if (links === undefined) throw new TypeError('The store has no links');
  return { kind: 'bucket', links };
}
