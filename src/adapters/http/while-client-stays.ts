import type { Context } from 'koa';

/**
 * @param work may ask for a signal that is aborted once the client is gone. The signal is made on demand: for a file that only
 *   has to be opened, making and collecting one would cost more than opening it.
 */
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
