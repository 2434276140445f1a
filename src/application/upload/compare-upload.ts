import { FileTooLarge, TicketUsed } from '../../domain/errors.ts';
import type { CatalogImage } from '../../domain/image/image.ts';
import type { ClaimKey } from './claim-key.ts';
import type { EarlierUpload } from './earlier-upload.ts';
import { type ArrivalSlot, FORM_OVERHEAD_BYTES, type IncomingFile } from './incoming-file.ts';
import type { UploadRequest } from './upload-request.ts';

/** A ticket that has been used can only repeat its upload: the bytes are compared, and nothing is stored. */
export class CompareUpload {
  constructor(private readonly keys: Pick<ClaimKey, 'findEarlier'>) {}

  /**
   * Resolves to the image of the earlier upload, or to `undefined` if the ticket has not been used. It ends as soon as another file than
   * that of the image is certain.
   *
   * @throws {TicketUsed | ImageNotFound | StorageUnavailable} and what refuses the body
   */
  async execute(
    { ticket, space, key, file }: UploadRequest,
    slot: ArrivalSlot,
  ): Promise<CatalogImage | undefined> {
    if (ticket === undefined || key === undefined) return undefined;
    const earlier = await this.keys.findEarlier({ ...key, space });
    if (earlier === undefined) return undefined;
    if (isOfAnother(file, earlier)) throw new TicketUsed();
    return earlier.replay(await hashUpToSize(file, slot, earlier), ticket);
  }
}

async function hashUpToSize(
  file: IncomingFile,
  slot: ArrivalSlot,
  { image }: EarlierUpload,
): Promise<string> {
  try {
    return await file.hash(slot, image?.size);
  } catch (error) {
    throw image !== undefined && error instanceof FileTooLarge ? new TicketUsed() : error;
  }
}

/** Judges by the headers alone. The size of an image that was deleted is unknown. */
function isOfAnother({ digest, bodyBytes }: IncomingFile, { sha256, image }: EarlierUpload): boolean {
  if (digest !== undefined && digest !== sha256) return true;
  if (bodyBytes === undefined || image === undefined) return false;
  return bodyBytes < image.size || bodyBytes > image.size + FORM_OVERHEAD_BYTES;
}
