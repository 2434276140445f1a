import { ContainerModule, type ResolutionContext } from 'inversify';
import { SigningKeys } from '../../adapters/http/auth/signing-keys.ts';
import { createHttpApi, type HttpApi } from '../../adapters/http/create-http-api.ts';
import { FairQueue } from '../../application/concurrency/fair-queue.ts';
import { subjectSlots } from '../../application/concurrency/subject-slots.ts';
import type { Tracer } from '../../domain/ports/process/tracer.ts';
import { resolveAll } from '../resolve-all.ts';
import { PublicAddress } from '../start/public-address.ts';
import { TOKENS } from '../tokens.ts';

/** The API and what it needs besides use cases. */
export function httpModule(tracer: Tracer | undefined): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.signingKeys).toResolvedValue(
      ({ idp: { jwksUri } }, clock, log, metrics) =>
        new SigningKeys({
          jwksUri,
          clock,
          log,
          watchFetch: (fetch) =>
            metrics.countResult('jwks_fetches_total', () =>
              tracer === undefined ? fetch() : tracer.span('fetch signing keys', fetch),
            ),
        }),
      [TOKENS.config, TOKENS.clock, TOKENS.log, TOKENS.metrics],
    );
    bind(TOKENS.changeSlots).toResolvedValue(
      ({ changes: { streams } }) =>
        new FairQueue(subjectSlots('change_streams', streams, Math.ceil(streams / 2))),
      [TOKENS.config],
    );
    bind(TOKENS.addresses).toResolvedValue(
      ({ apiUrl, listener, web }) => ({
        api: new PublicAddress(apiUrl, listener),
        web: new PublicAddress(web.url, web.listener),
      }),
      [TOKENS.config],
    );
    bind(TOKENS.httpApi).toDynamicValue(httpApiOf);
  });
}

function httpApiOf(context: ResolutionContext): HttpApi {
  const { config, stores, database } = resolveAll(context, 'config', 'stores', 'database');
  const { api, web } = context.get(TOKENS.addresses);
  const { schemaGuard } = database;
  return createHttpApi({
    ...resolveAll(context, 'useCases', 'signingKeys', 'uuids', 'log', 'telemetry'),
    apiUrl: () => api.url,
    webUrl: web.exists ? (): string => web.url : undefined,
    ports: {
      ...resolveAll(context, 'images', 'metadata', 'names', 'spaces', 'tags', 'staging'),
      ...resolveAll(context, 'clock', 'timer', 'changeSlots'),
    },
    dependencies: resolveAll(context, 'images', 'blobs', 'decoders'),
    settings: config,
    storeLinks: stores.blobs.links,
    requireUsable: schemaGuard.requireUsable.bind(schemaGuard),
  });
}
