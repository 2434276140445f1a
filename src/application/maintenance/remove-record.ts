import type { ImageRepository } from '../../domain/ports/records/image-repository.ts';
import type { InSpaces } from '../../domain/ports/records/in-spaces.ts';
import { isTrashed, type RecordedImage, type Trash } from '../../domain/ports/records/trash.ts';

export interface RemovableRecords {
  readonly images: InSpaces<Pick<ImageRepository, 'removeById'>>;
  readonly trash: InSpaces<Pick<Trash, 'erase'>>;
}

/** Whether it is in the trash or not. Leaves its bytes. */
export async function removeRecord({ images, trash }: RemovableRecords, image: RecordedImage): Promise<void> {
  if (isTrashed(image)) await trash.in(image.space).erase(image.id);
  else await images.in(image.space).removeById(image.id);
}
