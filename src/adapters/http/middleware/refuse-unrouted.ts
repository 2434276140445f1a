import type { Layer } from '@koa/router';
import type { Middleware } from 'koa';
import { pathNotFound, RequestError } from '../errors/request-error.ts';

/** As `Allow` lists them. */
const METHODS = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT', 'OPTIONS'];

export function refuseUnrouted(): Middleware {
  return (ctx) => {
    const matched = (ctx as typeof ctx & { matched?: readonly Layer[] }).matched ?? [];
    if (matched.length === 0) throw pathNotFound();
    const known = new Set(matched.flatMap((layer) => layer.methods));
    const allowed = METHODS.filter((method) => known.has(method)).join(', ');
    throw new RequestError('method_not_allowed', `The path knows ${allowed}`, { Allow: allowed });
  };
}
