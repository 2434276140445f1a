import { createHash } from 'node:crypto';
import type { Context, Middleware } from 'koa';
import { boundedAccept } from '../request/bounded-accept.ts';
import { scriptlessPolicy } from '../response/content-security-policy.ts';
import { sendBytes } from '../response/send-json.ts';
import type { HttpSettings } from '../route/http-settings.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { messageDocument, type PageDocument, pageDocument } from './page-document.ts';
import { pageTextsFor } from './page-texts.ts';

/** Every response to a page has them, errors too. */
export const PAGE_HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex' } as const;

export interface ServePageOptions extends Pick<RouteParts, 'openPage' | 'settings'> {
  /** The public address of the web listener, known when it listens. */
  readonly webUrl: () => string;
}

/** For paths of the form `/s/<payload>/<expiry>/<mac>`. A query is ignored: messengers and mail programs append some. */
export function servePage({ openPage, settings, webUrl }: ServePageOptions): Middleware {
  return async (ctx) => {
    const [, , payload = '', expiry = '', mac = ''] = ctx.path.split('/');
    const page = await openPage.execute({ payload, expiry, mac });
    const links = { webUrl: webUrl(), sizes: settings.renditions.sizes };
    ctx.set('Cache-Control', 'private, no-store');
    await sendDocument(ctx, pageDocument(page, links, namesFor(ctx, settings)), links.webUrl);
  };
}

/** Around the responses to errors: people open pages with browsers. */
export function explainErrors({
  settings,
  webUrl,
}: Pick<ServePageOptions, 'settings' | 'webUrl'>): Middleware {
  return async (ctx, next) => {
    await next();
    const { errorCode } = ctx.state;
    if (errorCode === undefined) return;
    ctx.vary('Accept');
    if (boundedAccept(ctx)('application/json', 'text/html') !== 'text/html') return;
    const { status } = ctx;
    await sendDocument(ctx, messageDocument(errorCode, namesFor(ctx, settings)), webUrl());
    ctx.status = status;
  };
}

function namesFor(ctx: Context, { web }: HttpSettings): Parameters<typeof messageDocument>[1] {
  return { catalog: web.title, texts: pageTextsFor(ctx) };
}

async function sendDocument(ctx: Context, { text, style }: PageDocument, webUrl: string): Promise<void> {
  const digest = createHash('sha256').update(style).digest('base64');
  ctx.set('Content-Security-Policy', scriptlessPolicy(webUrl, `'sha256-${digest}'`));
  ctx.type = 'text/html; charset=utf-8';
  await sendBytes(ctx, Buffer.from(text));
}
