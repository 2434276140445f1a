import type { Context } from 'koa';

/** The same request, behind this cursor (RFC 8288). */
export function nextLink(ctx: Context, cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('after', cursor);
  return `<${ctx.path}?${parameters.toString()}>; rel="next"`;
}
