import type { Context } from 'koa';

/** In characters. Browsers send less than 250. */
const MAX_ACCEPT_LENGTH = 1_000;

/** `ctx.accepts` of the media ranges that end in the first 1,000 characters: its parser takes quadratic time, at each call. */
export function boundedAccept(ctx: Context): Context['accepts'] {
  const { headers } = ctx.req;
  if (headers.accept !== undefined && headers.accept.length > MAX_ACCEPT_LENGTH) {
    headers.accept = completeRanges(headers.accept.slice(0, MAX_ACCEPT_LENGTH + 1));
  }
  return ctx.accepts.bind(ctx);
}

function completeRanges(accept: string): string {
  return accept.slice(0, Math.max(0, accept.lastIndexOf(',')));
}

/**
 * Whether a type that can be served has a higher quality than another. `ctx.accepts` does not tell qualities: of equal ones it takes
 * the more specific or the first.
 */
export function isPreferred(ctx: Context, type: string, other: string): boolean {
  return boundedAccept(ctx)(type) === type && qualityOf(type, ctx) > qualityOf(other, ctx);
}

/** RFC 9110, section 12.5.1: the most specific range counts. */
function qualityOf(type: string, ctx: Context): number {
  const ranges = ctx.get('Accept').toLowerCase().split(',').map(qualityOfRange);
  const qualities = new Map(ranges);
  const group = type.replace(/\/.*/, '/*');
  return qualities.get(type) ?? qualities.get(group) ?? qualities.get('*/*') ?? 0;
}

function qualityOfRange(range: string): readonly [string, number] {
  const [name = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  return [name, quality === undefined ? 1 : Number(quality.slice(2))];
}
