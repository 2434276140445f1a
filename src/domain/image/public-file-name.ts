import type { Name } from '../name/name.ts';
import type { NewImage } from './image.ts';
import { EXTENSIONS, originalFileName, withExtension } from './original-file-name.ts';
import { CLEAN, type Derivative, RENDITION_FORMATS, renditionExtension } from './rendition.ts';

const PICTURE_EXTENSIONS = new Set([...Object.values(EXTENSIONS).flat(), ...RENDITION_FORMATS]);

/** A file of a public name is named after the name, with the extension of its media type. */
export function publicFileName(
  name: Name,
  { mediaType }: Pick<NewImage, 'mediaType'>,
  derivative: Derivative,
): string {
  if (derivative === CLEAN) return originalFileName({ originalName: name, mediaType });
  const base = name.replace(/(?<=.)\.([^.]*)$/, (ending: string, extension: string) =>
    PICTURE_EXTENSIONS.has(extension.toLowerCase()) ? '' : ending,
  );
  return withExtension(base, renditionExtension(derivative.format));
}
