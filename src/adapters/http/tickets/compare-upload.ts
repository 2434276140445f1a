import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { EarlierUpload } from '../../../application/upload/earlier-upload.ts';
import { FileTooLarge, TicketUsed } from '../../../domain/errors.ts';
import { SIGNATURE_BYTES } from '../../../domain/image/media-type-of.ts';
import type { StagedFile, StagingLimits } from '../../../domain/ports/bytes/staging-area.ts';
import type { RouteParts } from '../route/route-parts.ts';
import { FORM_OVERHEAD_BYTES } from '../upload/receive-file.ts';
import { type ExpectedForm, receiveForm, type UploadHeaders } from '../upload/receive-upload.ts';

/**
 * Receives the form of a ticket that has been used. Its file is compared, and nothing is stored. It ends as soon as another
 * file than that of the image is certain.
 *
 * @returns the digest of the file
 * @throws {TicketUsed} and what refuses a form
 */
export async function compareUpload(
  parts: RouteParts,
  ctx: Context,
  { rules, headers, slot }: Omit<ExpectedForm, 'staging'>,
  { sha256, image }: EarlierUpload,
): Promise<string> {
  if (isOfAnother(headers, sha256, image?.size)) throw new TicketUsed();
  const ownRules = { ...rules, maxFileBytes: image?.size ?? rules.maxFileBytes };
  try {
    const form = { rules: ownRules, headers, slot, staging: { receive: hashFile } };
    return await receiveForm(parts, ctx, form, async ({ staged }) => staged.sha256);
  } catch (error) {
    throw image !== undefined && error instanceof FileTooLarge ? new TicketUsed() : error;
  }
}

/** @param size `undefined` if the image was deleted */
function isOfAnother({ digest, length }: UploadHeaders, sha256: string, size: number | undefined): boolean {
  if (digest !== undefined && digest !== sha256) return true;
  if (length === undefined || size === undefined) return false;
  return length < size || length > size + FORM_OVERHEAD_BYTES;
}

/** Instead of a staging area. */
async function hashFile(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, checkHead }: StagingLimits,
): Promise<StagedFile> {
  const hash = createHash('sha256');
  let size = 0;
  let head: Uint8Array = new Uint8Array(0);
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw new FileTooLarge(maxBytes);
    hash.update(chunk);
    if (head.length < SIGNATURE_BYTES) head = Buffer.concat([head, chunk]);
  }
  if (size > 0) checkHead(head);
  return { size, sha256: hash.digest('hex'), read: refuseToRead, discard: async () => undefined };
}

function refuseToRead(): never {
  throw new TypeError('The file was not stored');
}
