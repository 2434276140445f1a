import type { Context } from 'koa';
import { FileTooLarge } from '../../../domain/errors.ts';
import { refuseContentEncoding } from '../request/refuse-content-encoding.ts';
import { RequestError } from '../request-error.ts';
import { FORM_OVERHEAD_BYTES } from './upload-body.ts';

/** RFC 2046, section 5.1.1. The form parser accepts an empty boundary in quotes. */
const EMPTY_BOUNDARY = /;\s*boundary=(?:""|\s*(?:;|$))/i;

/** @throws {RequestError | FileTooLarge} */
export function checkUploadHeaders(ctx: Context, maxFileBytes: number): void {
  refuseContentEncoding(ctx);
  if (ctx.request.type.trim().toLowerCase() !== 'multipart/form-data') {
    throw new RequestError('unsupported_media_type', 'The request must be multipart/form-data');
  }
  if (Number(ctx.get('Content-Length')) > maxFileBytes + FORM_OVERHEAD_BYTES) {
    throw new FileTooLarge(maxFileBytes);
  }
  if (EMPTY_BOUNDARY.test(ctx.get('Content-Type'))) {
    throw new RequestError('invalid_request', 'The boundary of the multipart form is empty');
  }
}
