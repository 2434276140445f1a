import type { Watch } from '../../adapters/http/telemetry/http-telemetry.ts';
import type { CallMetrics } from '../../adapters/prometheus/call-metrics.ts';
import type { ServiceMetrics } from '../../adapters/prometheus/service-metrics.ts';
import type { MadeFiles, OpenedRendition } from '../../application/files/made-files.ts';
import type { OpenImageFile } from '../../application/files/open-image-file.ts';
import { BlobLost, DomainError, Overloaded } from '../../domain/errors.ts';
import type { Tracer } from '../../domain/ports/process/tracer.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';

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

export type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** The methods of a port, and of the ports that it makes for spaces. */
type MethodOf<Port> = (keyof Port | (Port extends InSpaces<infer InSpace> ? keyof InSpace : never)) & string;

/**
 * A port with work around some of its methods, which all return promises. The ports that it makes for spaces have the same around
 * theirs, and share its handler.
 *
 * @param calls measures all methods, with the work around them
 */
export function watchedPort<Port extends object>(
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
