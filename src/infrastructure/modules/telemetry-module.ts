import { ContainerModule, type ContainerModuleLoadOptions, type ServiceIdentifier } from 'inversify';
import type { OpenTelemetry } from '../../adapters/opentelemetry/open-telemetry.ts';
import { CallMetrics } from '../../adapters/prometheus/call-metrics.ts';
import { countSweep } from '../../adapters/prometheus/count-sweep.ts';
import { ServiceMetrics } from '../../adapters/prometheus/service-metrics.ts';
import type { BlobSweep } from '../../application/maintenance/sweep-blobs.ts';
import type { OwnSweep } from '../../application/maintenance/sweep-orphans.ts';
import { readVersion } from '../read-version.ts';
import { resolveAll } from '../resolve-all.ts';
import { TOKENS } from '../tokens.ts';
import { telemetryOf } from './telemetry-of.ts';
import { type Around, stage, watchedPort } from './watched-port.ts';

/** Series that are there from the start; those of other methods begin with the first call. */
const DATABASE_OPERATIONS = ['add', 'findById', 'findPage', 'count', 'removeById', 'ping'] as const;
const BLOB_OPERATIONS = ['put', 'open', 'find', 'remove', 'ping'] as const;

/** Metrics and spans. */
export function telemetryModule(tracer: OpenTelemetry | undefined): ContainerModule {
  return new ContainerModule(({ bind, onActivation }) => {
    bind(TOKENS.metrics).toResolvedValue(
      () => new ServiceMetrics({ version: readVersion(), node: process.version }),
    );
    bind(TOKENS.telemetry).toDynamicValue((context) =>
      telemetryOf(
        {
          ...resolveAll(context, 'config', 'metrics', 'signingKeys', 'changeSlots', 'decoders'),
          ...resolveAll(context, 'sweepSlices', 'similarImages', 'renditions'),
        },
        tracer,
      ),
    );
    watchPorts(onActivation, tracer);
  });
}

/** Puts metrics and spans around ports when they are made: they know nothing of either. */
function watchPorts(
  onActivation: ContainerModuleLoadOptions['onActivation'],
  tracer: OpenTelemetry | undefined,
): void {
  const span = (name: string): Around | undefined => tracer && ((work) => tracer.span(name, work));
  const watch = <T>(token: ServiceIdentifier<T>, watched: (port: T, metrics: ServiceMetrics) => T): void =>
    onActivation(token, (context, port) => watched(port, context.get(TOKENS.metrics)));
  watch(TOKENS.images, (images, metrics) => {
    const around = {
      add: stage(metrics, tracer, 'record', 'record'),
      findById: span('read record'),
      findPage: span('read record'),
    };
    return watchedPort(images, around, new CallMetrics('database', metrics, DATABASE_OPERATIONS));
  });
  watch(TOKENS.keys, (keys, metrics) =>
    watchedPort(keys, {}, new CallMetrics('database', metrics, ['claim', 'release'])),
  );
  watch(TOKENS.blobs, (blobs, metrics) => {
    const around = { put: stage(metrics, tracer, 'store', 'store blob'), open: span('open bytes') };
    return watchedPort(blobs, around, new CallMetrics('blob', metrics, BLOB_OPERATIONS));
  });
  watch(TOKENS.uploadInspector, (inspector, metrics) =>
    watchedPort(inspector, { inspect: stage(metrics, tracer, 'inspect', 'inspect') }),
  );
  watch(TOKENS.renditionMaker, (maker) => watchedPort(maker, { make: span('make rendition') }));
  watch(TOKENS.sweepOrphans, (sweepOrphans, metrics) =>
    watchedPort(sweepOrphans, {
      sweepOwn: (sweep) => countSweep(metrics, 'sweeps_total', sweep as () => Promise<OwnSweep>),
    }),
  );
  watch(TOKENS.sweepBlobs, (sweepBlobs, metrics) =>
    watchedPort(sweepBlobs, {
      sweepDue: (sweep) =>
        countSweep(metrics, 'sweep_slices_total', sweep as () => Promise<BlobSweep | undefined>),
    }),
  );
}
