import type { NewMetadata } from './image-metadata.ts';

/** All texts under whose words an image is found. */
export function searchableTexts(
  originalName: string,
  { title, description, tags, capture }: NewMetadata,
): readonly string[] {
  const texts = [originalName, title, description, ...tags, capture.make, capture.model];
  return texts.filter((text) => text !== null);
}
