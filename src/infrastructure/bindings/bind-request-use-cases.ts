import type { Container } from 'inversify';
import { CountPeriods } from '../../application/count-periods.ts';
import { DeleteImage } from '../../application/delete-image.ts';
import { EditMetadata } from '../../application/edit-metadata.ts';
import { GetImage } from '../../application/get-image.ts';
import { GetMetadata } from '../../application/get-metadata.ts';
import { ListImages } from '../../application/list-images.ts';
import { ListTags } from '../../application/list-tags.ts';
import { OpenImageFile } from '../../application/open-image-file.ts';
import { OpenRendition } from '../../application/open-rendition.ts';
import { TagImages } from '../../application/tag-images.ts';
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
  container.bind(ListImages).toResolvedValue((search) => new ListImages(search), [TOKENS.search]);
  container.bind(GetMetadata).toResolvedValue((metadata) => new GetMetadata(metadata), [TOKENS.metadata]);
  container.bind(EditMetadata).toResolvedValue((metadata) => new EditMetadata(metadata), [TOKENS.metadata]);
  container.bind(TagImages).toResolvedValue((metadata) => new TagImages(metadata), [TOKENS.metadata]);
  container.bind(ListTags).toResolvedValue((tags) => new ListTags(tags), [TOKENS.tags]);
  container.bind(CountPeriods).toResolvedValue((timeline) => new CountPeriods(timeline), [TOKENS.timeline]);
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
