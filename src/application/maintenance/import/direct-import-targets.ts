import { FileTooLarge, InvalidImage } from '../../../domain/errors.ts';
import { acceptedTypeOf } from '../../../domain/image/accepted-type-of.ts';
import { checkPatch } from '../../../domain/image/check-patch.ts';
import type { MediaType } from '../../../domain/image/media-type.ts';
import { parseOriginalName } from '../../../domain/image/parse-original-name.ts';
import type { StagedFile, StagingArea } from '../../../domain/ports/bytes/staging-area.ts';
import {
  ImportError,
  type ImportedImage,
  type ImportTarget,
  type ImportUpload,
} from '../../../domain/ports/commands/import-target.ts';
import type { Cancellation } from '../../../domain/ports/process/cancellation.ts';
import type { ImageRepository } from '../../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../../domain/ports/records/in-spaces.ts';
import type { Space } from '../../../domain/space/space.ts';
import type { ReceivedFile } from '../../upload/incoming-file.ts';
import type { UploadImage } from '../../upload/upload-image.ts';

/** The scope of the keys. Those of subjects are digests. */
const SCOPE = 'import';

/** The storage of this machine's configuration, without a service. Methods of the targets reject with `DomainError` as well. */
export class DirectImportTargets implements InSpaces<ImportTarget> {
  constructor(
    private readonly uploadImage: UploadImage,
    private readonly images: InSpaces<ImageRepository>,
    private readonly staging: StagingArea,
    private readonly maxFileBytes: number,
    private readonly accepted: readonly MediaType[],
  ) {}

  in(space: Space): ImportTarget {
    return {
      lookUp: (digests) => this.images.in(space).findIdsBySha256(digests),
      upload: (upload, stopped) => this.upload(space, upload, stopped),
    };
  }

  private async upload(space: Space, upload: ImportUpload, stopped: Cancellation): Promise<ImportedImage> {
    if (upload.size > this.maxFileBytes) throw new FileTooLarge(this.maxFileBytes);
    const { image, flaw } = await this.uploadImage.execute({
      space,
      requester: { signal: stopped, subject: '', isStored: upload.isExported },
      key: { scope: SCOPE, key: upload.idempotencyKey },
      file: { isGone: false, receive: () => this.receive(upload), hash: refuseToHash },
    });
    return { id: image.id, flaw: flaw && new InvalidImage(image.mediaType, flaw).message };
  }

  private async receive(upload: ImportUpload): Promise<ReceivedFile> {
    const originalName = parseOriginalName(upload.name) ?? 'image';
    const { staged, mediaType } = await this.stage(upload);
    try {
      if (mediaType === undefined || staged.sha256 !== upload.sha256) throw fileChanged();
      const metadata = upload.metadata && checkPatch(upload.metadata);
      return { originalName, mediaType, staged, metadata, [Symbol.asyncDispose]: () => staged.discard() };
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  private async stage({
    read,
  }: ImportUpload): Promise<{ readonly staged: StagedFile; readonly mediaType: MediaType | undefined }> {
    let mediaType: MediaType | undefined;
    const staged = await this.staging.receive(read(), {
      maxBytes: this.maxFileBytes,
      checkHead: (head) => {
        mediaType = acceptedTypeOf(head, this.accepted);
      },
    });
    return { staged, mediaType };
  }
}

function refuseToHash(): never {
  throw new TypeError('Only a file with a ticket is compared');
}

function fileChanged(): ImportError {
  return new ImportError('The file has changed since it was read', {
    code: 'digest_mismatch',
    isRefusal: false,
  });
}
