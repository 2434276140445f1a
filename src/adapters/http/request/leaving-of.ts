import type { Context } from 'koa';

declare module 'koa' {
  interface DefaultState {
    leaving?: AbortSignal;
  }
}

/** Aborts when the client leaves. Made on demand: an `AbortSignal` costs more than opening a cached file. */
export function leavingOf({ res, state }: Context): AbortSignal {
  if (state.leaving !== undefined) return state.leaving;
  const left = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) left.abort();
  });
  if (res.destroyed) left.abort();
  state.leaving = left.signal;
  return left.signal;
}
