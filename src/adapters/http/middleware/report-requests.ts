import type { Context, Middleware } from 'koa';
import type { Logger } from 'pino';
import { Overloaded } from '../../../domain/errors.ts';
import type { UuidGenerator } from '../../../domain/ports/process/uuid-generator.ts';
import { AccessRefused } from '../auth/access-refused.ts';
import type { NamedRequest } from '../telemetry/requests-under-way.ts';
import type { EndedRequest, HttpTelemetry, RequestTracer } from '../telemetry/telemetry.ts';
import { parseTraceParent } from '../telemetry/trace-parent.ts';

/** Safe in headers and logs. */
const ACCEPTABLE = /^[A-Za-z0-9._-]{1,128}$/;

/** `ctx.state.log` has the ids of the request; what writes lines for the request gets it as a parameter. */
export function identifyRequest(log: Logger, uuids: UuidGenerator): Middleware {
  return async (ctx, next) => {
    const sent = ctx.get('X-Request-Id');
    const requestId = ACCEPTABLE.test(sent) ? sent : uuids.next();
    const traceId = ctx.state.traceId ?? sentTraceId(ctx) ?? newTraceId(uuids);
    ctx.state.log = log.child({ requestId, traceId });
    ctx.set('X-Request-Id', requestId);
    await next();
  };
}

function sentTraceId({ req }: Context): string | undefined {
  const { traceparent } = req.headers;
  return typeof traceparent === 'string' ? parseTraceParent(traceparent)?.traceId : undefined;
}

/** A UUID is random enough (W3C Trace Context, level 2, section 2.2.2.3). */
function newTraceId(uuids: UuidGenerator): string {
  return uuids.next().replaceAll('-', '');
}

declare module 'koa' {
  interface DefaultState {
    log: Logger;
    /** Set before, if traces are recorded. */
    traceId?: string;
    errorCode?: string;
    /** The error that was sent as `errorCode`. */
    failure?: unknown;
  }
}

/** For paths that no route has. */
const NO_ROUTE = 'none';

/** Logs and counts each request at the end of its response. */
export function reportRequests(
  { requests: observer, underWay }: Pick<HttpTelemetry, 'requests' | 'underWay'>,
  table: RouteTable,
): Middleware {
  for (const { method, name } of table.routes) observer.routed(method, name);
  return async (ctx, next) => {
    const start = performance.now();
    const name = (): NamedRequest => nameOf(ctx, table);
    underWay.began(name);
    ctx.res.once('close', () => {
      const durationMs = performance.now() - start;
      underWay.ended(name, durationMs);
      logRequest(ctx, durationMs);
      observer.ended({ ...endOf(ctx, table), seconds: durationMs / 1000 });
      const { failure } = ctx.state;
      if (failure instanceof AccessRefused) observer.refused(failure.reason);
    });
    await next();
  };
}

function nameOf(ctx: Context, table: RouteTable): NamedRequest {
  const route = table.nameOf(ctx) ?? NO_ROUTE;
  return { route: `${ctx.method} ${route}`, requestId: String(ctx.res.getHeader('X-Request-Id')) };
}

function endOf(ctx: Context, table: RouteTable): Omit<EndedRequest, 'seconds'> {
  const status = ctx.res.writableFinished ? String(ctx.res.statusCode) : 'client_left';
  return { method: ctx.method, route: table.nameOf(ctx) ?? NO_ROUTE, status };
}

/** Leaves out query, headers and bodies, because they may contain a token, the MACs of signed links, and tickets. */
function logRequest(ctx: Context, durationMs: number): void {
  const isSent = ctx.res.writableFinished;
  const facts = {
    method: ctx.method,
    path: withoutMacs(ctx.path),
    status: isSent ? ctx.res.statusCode : undefined,
    code: ctx.state.errorCode,
    reason: ctx.state.failure instanceof Overloaded ? ctx.state.failure.reason : undefined,
    durationMs: Math.round(durationMs * 10) / 10,
  };
  ctx.state.log.info(facts, isSent ? 'request' : 'client left');
}

/** The MAC or the ticket may be cut, or split by a slash. */
const UP_TO_MAC = /^(\/d(?:\/[^/]*){3}\/|\/n(?:\/[^/]*){4}\/|\/[su]\/).+$/;

/** A MAC has 43 characters, more if some are escaped. Of the segments of routes, only names can be as long. */
const LONG_SEGMENT = /[^/]{40,}/g;

/** Also of paths of another shape, and on the API listener: a proxy may send links to the wrong port. */
function withoutMacs(path: string): string {
  return path.replace(UP_TO_MAC, '$1…').replace(LONG_SEGMENT, '…');
}

/** The routes of a listener, as metrics and traces name them. */
export interface RouteTable {
  readonly routes: ReadonlyArray<{ readonly method: string; readonly name: string }>;
  /** `undefined` for an unknown path. */
  nameOf(ctx: Context): string | undefined;
}

export function traceRequests(tracer: RequestTracer, table: RouteTable): Middleware {
  return async (ctx, next) => {
    const parent = parseTraceParent(ctx.get('traceparent'));
    await tracer.request({ method: ctx.method, parent }, async (span) => {
      ctx.state.traceId = span.traceId;
      ctx.res.once('close', () => span.end({ ...endOf(ctx, table), code: ctx.state.errorCode }));
      await next();
    });
  };
}
