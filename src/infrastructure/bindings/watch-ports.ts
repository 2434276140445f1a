import type { Container, ServiceIdentifier } from 'inversify';
import type { Watch } from '../../adapters/http/telemetry/http-telemetry.ts';
import { CallMetrics } from '../../adapters/prometheus/call-metrics.ts';
import { countSweep } from '../../adapters/prometheus/count-sweep.ts';
import type { ServiceMetrics } from '../../adapters/prometheus/service-metrics.ts';
import type { MadeFiles, OpenedRendition } from '../../application/files/made-files.ts';
import type { OpenImageFile } from '../../application/files/open-image-file.ts';
import type { BlobSweep } from '../../application/maintenance/sweep-blobs.ts';
import type { OwnSweep } from '../../application/maintenance/sweep-orphans.ts';
import { BlobLost, DomainError, Overloaded } from '../../domain/errors.ts';
import type { Tracer } from '../../domain/ports/process/tracer.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import { TOKENS } from '../tokens.ts';

/** Series that are there from the start; those of other methods begin with the first call. */
const DATABASE_OPERATIONS = ['add', 'findById', 'findPage', 'count', 'removeById', 'ping'] as const;
const BLOB_OPERATIONS = ['put', 'open', 'find', 'remove', 'ping'] as const;

/** Puts metrics and spans around ports when they are made: they know nothing of either. */
export function watchPorts(container: Container, tracer: Tracer | undefined): void {
  const span = (name: string): Around | undefined => tracer && ((work) => tracer.span(name, work));
  const watch = <T>(token: ServiceIdentifier<T>, watched: (part: T, metrics: ServiceMetrics) => T): void => {
    container.onActivation(token, (context, part) => watched(part, context.get(TOKENS.metrics)));
  };
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
  watch(TOKENS.sweeps, ({ sweepOrphans, sweepBlobs }, metrics) => ({
    sweepOrphans: watchedPort(sweepOrphans, {
      sweepOwn: (sweep) => countSweep(metrics, 'sweeps_total', sweep as () => Promise<OwnSweep>),
    }),
    sweepBlobs: watchedPort(sweepBlobs, {
      sweepDue: (sweep) =>
        countSweep(metrics, 'sweep_slices_total', sweep as () => Promise<BlobSweep | undefined>),
    }),
  }));
}

export function watchedFiles(metrics: ServiceMetrics, files: OpenImageFile): OpenImageFile {
  const countLost: Around = (work) =>
    work().catch((error: unknown) => {
      if (error instanceof BlobLost) metrics.count('lost_blobs_total');
      throw error;
    });
  return watchedPort(files, { execute: countLost, locate: countLost });
}

export function watchedRenditions(metrics: ServiceMetrics, renditions: MadeFiles): MadeFiles {
  const count = (result: string): void => metrics.count('renditions_total', result);
  return watchedPort(renditions, {
    open: async (work) => {
      try {
        const opened = (await work()) as OpenedRendition;
        count(opened.origin);
        return opened;
      } catch (error) {
        // A client that leaves is no failure.
        if (error instanceof DomainError) count(error instanceof Overloaded ? 'overloaded' : 'failed');
        throw error;
      }
    },
    makeAhead: async (work) => {
      const isMade = await work();
      if (isMade === true) count('prerendered');
      return isMade;
    },
  });
}

/** Times a part of an upload. One that fails counts as well. */
export function stage(
  metrics: ServiceMetrics,
  tracer: Tracer | undefined,
  name: 'receive' | 'inspect' | 'store' | 'record',
  spanName: string,
): Watch {
  const series = metrics.durations('upload_stage_duration_seconds').of(name);
  return async (work) => {
    const start = performance.now();
    try {
      return await (tracer === undefined ? work() : tracer.span(spanName, work));
    } finally {
      series.observe((performance.now() - start) / 1000);
    }
  };
}

type Method = (...args: unknown[]) => unknown;

type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** Also those of its ports for spaces. */
type MethodOf<Port> = (keyof Port | (Port extends InSpaces<infer InSpace> ? keyof InSpace : never)) & string;

/**
 * A port with work around some of its methods, which all return promises. The ports that it makes for spaces have the same around
 * theirs, and share its handler.
 *
 * @param calls measures all methods, with the work around them
 */
function watchedPort<Port extends object>(
  port: Port,
  around: Readonly<Partial<Record<MethodOf<Port>, Around | undefined>>>,
  calls?: CallMetrics,
): Port {
  const arounds = new Map<string, Around | undefined>(Object.entries(around));
  const handler: ProxyHandler<object> = {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const method = member as Method;
      if (name === 'in') return (space: unknown) => new Proxy(method.call(target, space) as object, handler);
      const run = arounds.get(name);
      return (...args: unknown[]) => {
        const call = (): unknown => method.apply(target, args);
        const work = run === undefined ? call : (): unknown => run(call as () => Promise<unknown>);
        return calls === undefined ? work() : calls.measure(name, work);
      };
    },
  };
  return new Proxy<object>(port, handler) as Port;
}
