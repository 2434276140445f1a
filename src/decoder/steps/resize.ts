import type { Of } from './picture.ts';

const WHITE = '#ffffff';
const TRANSPARENT = { r: 255, g: 255, b: 255, alpha: 0 };

export function resize({
  image,
  rendition,
  box,
  crop,
}: Of<'image' | 'rendition' | 'box' | 'crop'>): Of<'image'> {
  const background = rendition.format === 'jpeg' ? WHITE : TRANSPARENT;
  const fit = rendition.fit === 'inside' ? 'fill' : rendition.fit;
  if (crop === undefined) image.resize({ ...box, fit, background });
  // Extracted after the resize: the other order would switch off shrinking during the decode.
  else image.resize(crop.width, crop.height, { fit: 'fill' }).extract({ ...crop, ...box });
  if (rendition.format === 'jpeg') image.flatten({ background: WHITE });
  return { image: image.toColourspace('srgb') };
}
