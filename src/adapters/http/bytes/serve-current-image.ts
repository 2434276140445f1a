import type { Context } from 'koa';
import { Overloaded } from '../../../domain/errors.ts';
import { resetHeaders } from '../response/reset-headers.ts';

interface Target {
  readonly imageId: number;
}

export interface CurrentImage<T extends Target> {
  /** Where the address points to now. */
  readonly find: () => Promise<T>;
  /** Prepares the response, whose headers are not sent yet. */
  readonly serve: (target: T) => Promise<unknown>;
}

/** Each follows a move of the name, which has happened while the bytes were opened or made. */
const MAX_RESPONSES = 10;

/**
 * For an address that moves from image to image. Looks again just before the headers are sent: if it has moved, the response is
 * made again, for the other image.
 *
 * @throws what `find` and `serve` throw; {Overloaded} if it moves again and again
 */
export async function serveCurrentImage<T extends Target>(
  ctx: Context,
  { find, serve }: CurrentImage<T>,
): Promise<void> {
  const headersOnEntry = ctx.res.getHeaders();
  let target = await find();
  for (let responses = 0; responses < MAX_RESPONSES; responses += 1) {
    const isSameTurn = startOfTurn();
    const [outcome] = await Promise.allSettled([serve(target)]);
    const now = isSameTurn() ? target : await find();
    if (now.imageId === target.imageId) {
      if (outcome.status === 'rejected') throw outcome.reason;
      return;
    }
    discardResponse(ctx, headersOnEntry);
    target = now;
  }
  throw new Overloaded('moving_name');
}

/** What it returns tells whether the event loop is still in the same turn: then a read would find nothing newer. */
function startOfTurn(): () => boolean {
  let isOver = false;
  setImmediate(() => {
    isOver = true;
  });
  return () => !isOver;
}

function discardResponse(ctx: Context, headersOnEntry: ReturnType<Context['res']['getHeaders']>): void {
  // Koa destroys a body that is a stream.
  ctx.body = undefined;
  resetHeaders(ctx, headersOnEntry);
}
