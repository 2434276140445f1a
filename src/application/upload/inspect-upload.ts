import { type NewMetadata, NO_METADATA } from '../../domain/image/image-metadata.ts';
import { patchMetadata } from '../../domain/image/patch-metadata.ts';
import type { ImageInspector, Inspection } from '../../domain/ports/pictures/image-inspector.ts';
import type { ReceivedFile } from './incoming-file.ts';
import type { Rollback } from './rollback.ts';
import type { UploadRequest } from './upload-request.ts';

interface InspectedUpload extends Omit<Inspection, 'embedded'> {
  /** Of the file and of the upload. */
  readonly metadata: NewMetadata;
}

/** Proves that the file is a complete image, and reads what the record needs. */
export class InspectUpload {
  constructor(private readonly inspector: ImageInspector) {}

  /** @throws {ImageBeyondLimits | InvalidImage | Overloaded | StorageUnavailable} and the reason of the requester's signal */
  async execute(
    { requester, ticket }: UploadRequest,
    { staged, mediaType, metadata: sent = ticket?.metadata }: ReceivedFile,
    rollback: Rollback,
  ): Promise<InspectedUpload> {
    const { embedded, ...inspection } = await this.inspector.inspect(staged, mediaType, requester);
    rollback.add(() => inspection.pixels?.release());
    const { capture, keywords, texts } = embedded;
    const ofFile = patchMetadata({ ...NO_METADATA, capture, tags: keywords }, texts ?? {});
    // A field that the upload sets, to null as well, is not taken from the file.
    return { ...inspection, metadata: patchMetadata(ofFile, sent ?? {}) };
  }
}
