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
import type { UploadImageOnce } from '../../upload/upload-image-once.ts';

/** The scope of the keys. Those of subjects are digests. */
const SCOPE = 'import';

/** The storage of this machine's configuration, without a service. Methods of the targets reject with `DomainError` as well. */
export class DirectImportTargets implements InSpaces<ImportTarget> {
  constructor(
    private readonly uploadImageOnce: UploadImageOnce,
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
    const originalName = parseOriginalName(upload.name) ?? 'image';
    const { staged, mediaType } = await this.stage(upload);
    try {
      if (staged.sha256 !== upload.sha256) throw fileChanged();
      const metadata = upload.metadata && checkPatch(upload.metadata);
      const requester = { signal: stopped, subject: '', isStored: upload.isExported };
      const file = { space, originalName, mediaType, staged, metadata, requester };
      const key = { scope: SCOPE, key: upload.idempotencyKey };
      const { image, flaw } = await this.uploadImageOnce.execute(file, key);
      return { id: image.id, flaw: flaw && new InvalidImage(mediaType, flaw).message };
    } finally {
      await staged.discard();
    }
  }

  private async stage({
    read,
  }: ImportUpload): Promise<{ readonly staged: StagedFile; readonly mediaType: MediaType }> {
    let mediaType: MediaType | undefined;
    const staged = await this.staging.receive(read(), {
      maxBytes: this.maxFileBytes,
      checkHead: (head) => {
        mediaType = acceptedTypeOf(head, this.accepted);
      },
    });
    if (mediaType !== undefined) return { staged, mediaType };
    await staged.discard();
    throw fileChanged();
  }
}

function fileChanged(): ImportError {
  return new ImportError('The file has changed since it was read', {
    code: 'digest_mismatch',
    isRefusal: false,
  });
}
