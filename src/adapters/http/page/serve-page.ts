import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import type { OpenPage } from '../../../application/links/open-page.ts';
import { boundedAccept } from '../request/bounded-accept.ts';
import { sendBytes } from '../response/send-json.ts';
import { pageTextsFor } from './page-texts.ts';
import { messageDocument, type PageDocument, type PageLinks, pageDocument } from './page-view.ts';

/** Every response to a page has them, errors too. */
export const PAGE_HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' } as const;

export interface PagePolicies {
  /** The Content-Security-Policy of a page without scripts, whose one style element has this source. */
  readonly policyOf: (styleSource: string) => string;
}

export interface ServePageOptions extends PagePolicies {
  readonly openPage: OpenPage;
  /** Known when the service listens. */
  readonly links: () => PageLinks;
}

/** For paths of the form `/s/<payload>/<expiry>/<mac>`. A query is ignored: messengers and mail programs append some. */
export function servePage({ openPage, links, policyOf }: ServePageOptions): Middleware {
  return async (ctx) => {
    const [, , payload = '', expiry = '', mac = ''] = ctx.path.split('/');
    const page = await openPage.execute({ payload, expiry, mac });
    ctx.set('Cache-Control', 'private, no-store');
    await sendDocument(ctx, pageDocument(page, links(), pageTextsFor(ctx)), policyOf);
  };
}

/** Around the responses to errors: people open pages with browsers. */
export function explainErrors({ policyOf }: PagePolicies): Middleware {
  return async (ctx, next) => {
    await next();
    const { errorCode } = ctx.state;
    if (errorCode === undefined) return;
    ctx.vary('Accept');
    if (boundedAccept(ctx)('application/json', 'text/html') !== 'text/html') return;
    const { status } = ctx;
    await sendDocument(ctx, messageDocument(errorCode, pageTextsFor(ctx)), policyOf);
    ctx.status = status;
  };
}

async function sendDocument(
  ctx: Context,
  { text, style }: PageDocument,
  policyOf: PagePolicies['policyOf'],
): Promise<void> {
  const digest = createHash('sha256').update(style).digest('base64');
  ctx.set('Content-Security-Policy', policyOf(`'sha256-${digest}'`));
  ctx.type = 'text/html; charset=utf-8';
  await sendBytes(ctx, Buffer.from(text));
}
