import type { Context } from 'koa';
import { RequestError } from '../request-error.ts';
import { type BytesLimits, bodyTooLarge, receiveBytes } from './receive-bytes.ts';
import { refuseContentEncoding } from './refuse-content-encoding.ts';

export interface JsonBodyRules extends BytesLimits {
  /** Lower case. */
  readonly mediaType: string;
}

/** Not parsed yet: the contract refuses by id and `If-Match` before it refuses by the content of the body. */
export type ReceiveJson = (ctx: Context) => Promise<Buffer>;

/** The function throws {RequestError}: first by the headers, then by the length of the body. */
export function receiveJson(rules: JsonBodyRules): ReceiveJson {
  return async (ctx) => {
    // RFC 5789, section 3.1.
    const headers = ctx.method === 'PATCH' ? { 'Accept-Patch': rules.mediaType } : {};
    refuseContentEncoding(ctx, headers);
    refuseOtherTypes(ctx, rules.mediaType, headers);
    if (Number(ctx.get('Content-Length')) > rules.maxBytes) throw bodyTooLarge(rules.maxBytes);
    if (ctx.req.headers.expect !== undefined) ctx.res.writeContinue();
    return await receiveBytes(ctx.req, rules);
  };
}

/** Parameters other than `charset` are ignored, also ill-formed ones. */
function refuseOtherTypes(ctx: Context, mediaType: string, headers: Record<string, string>): void {
  const { type, charset } = ctx.request;
  const isUtf8 = charset === '' || charset.toLowerCase() === 'utf-8';
  if (isUtf8 && type.trim().toLowerCase() === mediaType) return;
  throw new RequestError('unsupported_media_type', `The request must be ${mediaType} in UTF-8`, headers);
}
