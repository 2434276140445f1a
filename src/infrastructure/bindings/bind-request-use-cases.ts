import type { Container } from 'inversify';
import { DeleteImage } from '../../application/delete-image.ts';
import { GetImage } from '../../application/get-image.ts';
import { ListImages } from '../../application/list-images.ts';
import { LookUpImages } from '../../application/look-up-images.ts';
import { OpenImageFile } from '../../application/open-image-file.ts';
import { OpenRendition } from '../../application/open-rendition.ts';
import { UploadImage } from '../../application/upload-image.ts';
import { UploadImageOnce } from '../../application/upload-image-once.ts';
import { TOKENS } from '../tokens.ts';

export function bindRequestUseCases(container: Container): void {
  const { images, keys, blobs, inspector, uuids, renditions, renditionMaker, log } = TOKENS;
  container
    .bind(UploadImage)
    .toResolvedValue((...ports) => new UploadImage(...ports), [images, blobs, inspector, uuids]);
  container
    .bind(UploadImageOnce)
    .toResolvedValue((...ports) => new UploadImageOnce(...ports), [UploadImage, images, keys]);
  container.bind(ListImages).toResolvedValue((repository) => new ListImages(repository), [images]);
  container.bind(LookUpImages).toResolvedValue((repository) => new LookUpImages(repository), [images]);
  container.bind(GetImage).toResolvedValue((repository) => new GetImage(repository), [images]);
  container.bind(OpenImageFile).toResolvedValue((...ports) => new OpenImageFile(...ports), [images, blobs]);
  container
    .bind(DeleteImage)
    .toResolvedValue((...ports) => new DeleteImage(...ports), [images, blobs, renditions, log]);
  container
    .bind(OpenRendition)
    .toResolvedValue(
      (repository, cache, ...rest) => new OpenRendition({ images: repository, cache }, ...rest),
      [images, renditions, OpenImageFile, renditionMaker, log],
    );
}
