import type { OutgoingHttpHeaders } from 'node:http';
import type { Context } from 'koa';

/** Later headers describe a response that is not sent; `Vary` is true of the one in its place as well. */
export function resetHeaders({ res }: Context, headersOnEntry: OutgoingHttpHeaders): void {
  for (const name of res.getHeaderNames()) {
    if (name === 'vary') continue;
    const value = headersOnEntry[name];
    if (value === undefined) res.removeHeader(name);
    else res.setHeader(name, value);
  }
}
