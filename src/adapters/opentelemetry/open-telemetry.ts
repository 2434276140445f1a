import { setTimeout as delay } from 'node:timers/promises';
import type * as OpenTelemetryApi from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import type { NodeTracerProvider, ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { EventLog } from '../../domain/ports/process/event-log.ts';
import type { Tracer } from '../../domain/ports/process/tracer.ts';

export interface OpenTelemetryOptions {
  /** Base URL of an OTLP receiver over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  readonly serviceName: string;
  readonly version: string;
  readonly log: EventLog;
}

/** A span of another service: the parent of the request's span. */
export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

export interface RequestSpan {
  readonly traceId: string;
  end(facts: { readonly route: string; readonly status: string; readonly code?: string | undefined }): void;
}

/** The API is imported only if it is used. */
type Api = typeof OpenTelemetryApi;

/** An export may take this long. Short: the exporter keeps a process that stops alive for this long, and begins no retry after it. */
const EXPORT_TIMEOUT_MS = 1_000;

/** With the work of cut-off requests, less than the time after which a stop counts as hung. */
const FLUSH_MS = 800;

/** Sends spans by OTLP in the background. If the receiver is unavailable, spans are dropped. */
export class OpenTelemetry implements Tracer {
  private constructor(
    private readonly api: Api,
    private readonly provider: NodeTracerProvider,
  ) {}

  /**
   * Loads the packages of OpenTelemetry. They read their other settings, such as `OTEL_TRACES_SAMPLER`, from the environment of
   * the process.
   *
   * @throws {Error} if they are not installed
   */
  static async open({ endpoint, serviceName, version, log }: OpenTelemetryOptions): Promise<OpenTelemetry> {
    const [api, sdk, { OTLPTraceExporter }, { resourceFromAttributes, detectResources, envDetector }] =
      await Promise.all([
        import('@opentelemetry/api'),
        import('@opentelemetry/sdk-trace-node'),
        import('@opentelemetry/exporter-trace-otlp-http'),
        import('@opentelemetry/resources'),
      ]);
    const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS, keepAlive: false });
    const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version });
    const provider = new sdk.NodeTracerProvider({
      resource: detectResources({ detectors: [envDetector] }).merge(resource),
      spanProcessors: [new sdk.BatchSpanProcessor(reportFailures(exporter, log))],
    });
    provider.register({ propagator: null });
    return new OpenTelemetry(api, provider);
  }

  async span<T>(name: string, work: () => Promise<T>): Promise<T> {
    return await this.tracer().startActiveSpan(name, async (span) => {
      try {
        return await work();
      } catch (error) {
        this.fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    });
  }

  /** Runs the work with the span of the request as the parent of all spans in it. The caller ends the span. */
  async request<T>(
    { method, parent }: { readonly method: string; readonly parent: RemoteParent | undefined },
    work: (span: RequestSpan) => Promise<T>,
  ): Promise<T> {
    const { context, trace, SpanKind } = this.api;
    const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } };
    const outer = this.contextOf(parent);
    const span = this.tracer().startSpan(method, options, outer);
    return await context.with(trace.setSpan(outer, span), () => work(this.requestSpan(span, method)));
  }

  /** Sends what is left. Resolves within `FLUSH_MS`, whatever the receiver does. */
  async close(): Promise<void> {
    const flushed = this.provider.shutdown().catch(() => undefined);
    await Promise.race([flushed, delay(FLUSH_MS, undefined, { ref: false })]);
    this.api.context.disable();
    this.api.trace.disable();
  }

  private tracer(): ReturnType<NodeTracerProvider['getTracer']> {
    return this.provider.getTracer('image-catalog');
  }

  private contextOf(parent: RemoteParent | undefined): Context {
    const { ROOT_CONTEXT, trace, TraceFlags } = this.api;
    if (parent === undefined) return ROOT_CONTEXT;
    const { traceId, spanId, isSampled } = parent;
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  }

  private requestSpan(span: Span, method: string): RequestSpan {
    return {
      traceId: span.spanContext().traceId,
      end: ({ route, status, code }) => {
        span.updateName(`${method} ${route}`);
        span.setAttribute('http.route', route);
        if (/^\d+$/.test(status)) span.setAttribute('http.response.status_code', Number(status));
        if (code !== undefined) span.setAttribute('error.type', code);
        if (status.startsWith('5')) span.setStatus({ code: this.api.SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  /** The name alone: messages may hold paths and addresses. */
  private fail(span: Span, error: unknown): void {
    const message = error instanceof Error ? error.name : 'unknown';
    span.setStatus({ code: this.api.SpanStatusCode.ERROR, message });
  }
}

/** Logs when deliveries begin to fail, and not each of them. */
function reportFailures(exporter: SpanExporter, log: EventLog): SpanExporter {
  let isFailing = false;
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.error !== undefined;
        if (hasFailed && !isFailing) log.warn({ err: result.error }, 'spans cannot be delivered');
        if (!hasFailed && isFailing) log.warn({}, 'spans are delivered again');
        isFailing = hasFailed;
        done(result);
      }),
    forceFlush: async () => await exporter.forceFlush?.(),
    shutdown: async () => await exporter.shutdown(),
  };
}
