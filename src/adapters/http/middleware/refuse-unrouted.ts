import type { Layer } from '@koa/router';
import type { Middleware } from 'koa';
import { RequestError } from '../errors/request-error.ts';

export function pathNotFound(): RequestError {
  return new RequestError('not_found', 'There is nothing at this path');
}

export function refuseUnrouted(): Middleware {
  return (ctx) => {
    const matched = (ctx as typeof ctx & { matched?: readonly Layer[] }).matched ?? [];
    if (matched.length === 0) throw pathNotFound();
    const methods = [...new Set(matched.flatMap((layer) => layer.methods))].sort();
    throw new RequestError('method_not_allowed', `The path knows ${methods.join(', ')}`, {
      Allow: methods.join(', '),
    });
  };
}
