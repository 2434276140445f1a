import type { Container, ServiceIdentifier } from 'inversify';
import type { Watch } from '../../adapters/http/telemetry/http-telemetry.ts';
import { CallMetrics } from '../../adapters/prometheus/call-metrics.ts';
import { countSweep } from '../../adapters/prometheus/count-sweep.ts';
import type { ServiceMetrics } from '../../adapters/prometheus/service-metrics.ts';
import { timeStage } from '../../adapters/prometheus/time-stage.ts';
import type { OpenImageFile } from '../../application/files/open-image-file.ts';
import type { OpenedRendition, OpenRendition } from '../../application/files/open-rendition.ts';
import type { BlobSweep } from '../../application/maintenance/sweep-blobs.ts';
import type { OwnSweep } from '../../application/maintenance/sweep-orphans.ts';
import { BlobLost, DomainError, Overloaded } from '../../domain/errors.ts';
import type { Tracer } from '../../domain/ports/process/tracer.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import type { Sweeps } from '../maintenance.ts';
import { TOKENS } from '../tokens.ts';

/** Series that are there from the start; those of other methods begin with the first call. */
const DATABASE_OPERATIONS = ['add', 'findById', 'findPage', 'count', 'removeById', 'ping'] as const;
const BLOB_OPERATIONS = ['put', 'open', 'find', 'remove', 'ping'] as const;

/** Puts metrics and spans around ports when they are made: they know nothing of either. */
export function watchPorts(container: Container, tracer: Tracer | undefined): void {
  watchStorage(container, tracer);
  watchPictures(container, tracer);
}

export function watchedFiles(metrics: ServiceMetrics, files: OpenImageFile): OpenImageFile {
  const noteLost = watchResult((error) => error instanceof BlobLost && metrics.count('lost_blobs_total'));
  return withAround(files, { execute: noteLost, locate: noteLost });
}

export function watchedRenditions(metrics: ServiceMetrics, renditions: OpenRendition): OpenRendition {
  const count = (result: string): void => metrics.count('renditions_total', result);
  return withAround(renditions, {
    execute: watchResult(
      (error) => error instanceof DomainError && count(failureOf(error)),
      (opened) => count((opened as OpenedRendition).origin),
    ),
    makeAhead: watchResult(
      () => undefined,
      (isMade) => isMade === true && count('prerendered'),
    ),
  });
}

export function watchedSweeps(metrics: ServiceMetrics, { sweepBlobs, sweepOrphans }: Sweeps): Sweeps {
  return {
    sweepOrphans: withAround(sweepOrphans, {
      sweepOwn: (sweep) => countSweep(metrics, 'sweeps_total', sweep as () => Promise<OwnSweep>),
    }),
    sweepBlobs: withAround(sweepBlobs, {
      sweepDue: (sweep) =>
        countSweep(metrics, 'sweep_slices_total', sweep as () => Promise<BlobSweep | undefined>),
    }),
  };
}

function watchStorage(container: Container, tracer: Tracer | undefined): void {
  decorate(container, TOKENS.images, (images, metrics) => {
    const reads = tracer && { findById: span(tracer, 'read record'), findPage: span(tracer, 'read record') };
    const add: Around = (work) => timeStage(metrics, 'record', () => spanned(tracer, 'record', work));
    return measured(
      withAround(images, { add, ...reads }),
      new CallMetrics('database', metrics),
      DATABASE_OPERATIONS,
    );
  });
  decorate(container, TOKENS.keys, (keys, metrics) =>
    measured(keys, new CallMetrics('database', metrics), ['claim', 'release']),
  );
  decorate(container, TOKENS.blobs, (blobs, metrics) => {
    const put: Around = (work) => timeStage(metrics, 'store', () => spanned(tracer, 'store blob', work));
    const open = tracer && { open: span(tracer, 'open bytes') };
    return measured(withAround(blobs, { put, ...open }), new CallMetrics('blob', metrics), BLOB_OPERATIONS);
  });
}

/** @param operations methods whose series are there from the start */
function measured<Port extends object>(
  port: Port,
  calls: CallMetrics,
  operations: ReadonlyArray<MethodOf<Port> & string>,
): Port {
  calls.startAtZero(operations);
  return watchedPort(port, (operation, method) => calls.measured(operation, method));
}

function watchPictures(container: Container, tracer: Tracer | undefined): void {
  decorate(container, TOKENS.uploadInspector, (inspector, metrics) =>
    withAround(inspector, {
      inspect: (work) => timeStage(metrics, 'inspect', () => spanned(tracer, 'inspect', work)),
    }),
  );
  decorate(container, TOKENS.renditionMaker, (maker) =>
    tracer === undefined ? maker : withAround(maker, { make: span(tracer, 'make rendition') }),
  );
}

/** A client that leaves is no failure. */
function failureOf(error: DomainError): 'overloaded' | 'failed' {
  return error instanceof Overloaded ? 'overloaded' : 'failed';
}

function decorate<T>(
  container: Container,
  identifier: ServiceIdentifier<T>,
  decorated: (value: T, metrics: ServiceMetrics) => T,
): void {
  container.onActivation(identifier, (context, value) => decorated(value, context.get(TOKENS.metrics)));
}

function watchResult(
  onError: (error: unknown) => void,
  onResult: (result: unknown) => void = () => undefined,
): Around {
  return async (work) => {
    try {
      const result = await work();
      onResult(result);
      return result;
    } catch (error) {
      onError(error);
      throw error;
    }
  };
}

function span(tracer: Tracer, name: string): Around {
  return (work) => tracer.span(name, work);
}

/** Around the arrival of an upload, which is no call of a port. */
export function watchReceive(metrics: ServiceMetrics, tracer: Tracer | undefined): Watch {
  return (work) => timeStage(metrics, 'receive', () => spanned(tracer, 'receive', work));
}

export async function spanned<T>(
  tracer: Tracer | undefined,
  name: string,
  work: () => Promise<T>,
): Promise<T> {
  return tracer === undefined ? await work() : await tracer.span(name, work);
}

type Method = (...args: unknown[]) => unknown;

/** Makes what is called instead of a method. Called once for each method, at its first use. */
type WatchMethod = (operation: string, method: Method) => Method;

type Around = (work: () => Promise<unknown>) => Promise<unknown>;

/** Also those of its ports for spaces. */
type MethodOf<Port> = keyof Port | (Port extends InSpaces<infer InSpace> ? keyof InSpace : never);

/**
 * A port with other methods in front of its own, also of methods that the port gets later. The ports that it makes for spaces have
 * them too.
 */
function watchedPort<Port extends object>(port: Port, watch: WatchMethod): Port {
  const watched = new Map<PropertyKey, Method>();
  return new Proxy(port, {
    get(target, name) {
      const known = watched.get(name);
      if (known !== undefined) return known;
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function' || typeof name !== 'string') return member;
      const own = (member as Method).bind(target);
      const method = name === 'in' ? watchedInSpaces(own, watch) : watch(name, own);
      watched.set(name, method);
      return method;
    },
    set(target, name, value) {
      watched.delete(name);
      return Reflect.set(target, name, value, target);
    },
  });
}

function watchedInSpaces(makePort: Method, watch: WatchMethod): Method {
  return (...args) => watchedPort(makePort(...args) as object, watch);
}

/** A port with work around some of its methods, which all return promises. */
function withAround<Port extends object>(
  port: Port,
  around: Partial<Record<MethodOf<Port> & string, Around>>,
): Port {
  const arounds = new Map<string, Around>(Object.entries(around));
  return watchedPort(port, (operation, method) => {
    const run = arounds.get(operation);
    if (run === undefined) return method;
    return (...args) => run(() => method(...args) as Promise<unknown>);
  });
}
