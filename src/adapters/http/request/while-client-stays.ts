import type { Context } from 'koa';

/** @param work gets a function that makes the signal on demand: an `AbortSignal` costs more than opening a cached file */
export async function whileClientStays<T>(
  ctx: Context,
  work: (leaving: () => AbortSignal) => Promise<T>,
): Promise<T> {
  let controller: AbortController | undefined;
  const leave = (): void => controller?.abort();
  ctx.res.once('close', leave);
  try {
    return await work(() => {
      controller ??= new AbortController();
      if (ctx.res.destroyed) leave();
      return controller.signal;
    });
  } finally {
    ctx.res.off('close', leave);
  }
}
