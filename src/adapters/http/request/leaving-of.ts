import type { ServerResponse } from 'node:http';
import type { Context } from 'koa';

declare module 'koa' {
  interface DefaultState {
    leaving?: AbortSignal;
  }
}

/** Aborts when the client leaves. Made on demand: an `AbortSignal` costs more than opening a cached file. */
export function leavingOf({ res, state }: Context): AbortSignal {
  return (state.leaving ??= endOf(res));
}

function endOf(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort();
  });
  if (response.destroyed) left.abort();
  return left.signal;
}
