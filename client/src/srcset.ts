import type { ImageRecord } from './image-record.ts';
import { type Rendition, searchOf } from './queries.ts';

/** `{?a,b}` of RFC 6570, section 3.2.8: the only kind of expression in the links of a record. */
export function expandTemplate(template: string, values: Rendition): string {
  return template.replace(/\{\?([^}]*)\}/, (_expression, names: string) =>
    searchOf(Object.fromEntries(names.split(',').map((name) => [name, values[name as keyof Rendition]]))),
  );
}

/** In pixels. */
interface Box {
  readonly width: number;
  readonly height?: number;
}

/** The sides that are asked for, and the width that the rendition has then. */
export interface Candidate extends Box {
  readonly shownWidth: number;
}

/** All that have fewer pixels than the picture, and the first that has not: the service never enlarges. */
export function candidatesOf(image: ImageRecord, aspectRatio?: number): readonly Candidate[] {
  const { widths } = image.links.renditions;
  const candidates =
    aspectRatio === undefined ? widths.map((width) => ({ width })) : boxesOf(widths, aspectRatio);
  const scaled = candidates.map((box) => ({ ...box, scale: scaleOf(image, box) }));
  const end = scaled.findIndex(({ scale }) => scale >= 1);
  return scaled
    .slice(0, end === -1 ? undefined : end + 1)
    .map(({ scale, ...box }) => ({ ...box, shownWidth: Math.round(box.width / Math.max(scale, 1)) }));
}

/** That at which the picture fills the box. */
function scaleOf(image: ImageRecord, { width, height = 0 }: Box): number {
  return Math.max(width / image.width, height / image.height);
}

/** The service has some sides alone. What is too much is cut off by `object-fit: cover`. */
const SHAPE_TOLERANCE = 0.05;

function boxesOf(sides: readonly number[], aspectRatio: number): readonly Box[] {
  return sides.flatMap((width) => {
    const errorOf = (height: number): number => Math.abs(width / height / aspectRatio - 1);
    const [height] = sides.toSorted((a, b) => errorOf(a) - errorOf(b));
    return height === undefined || errorOf(height) > SHAPE_TOLERANCE ? [] : [{ width, height }];
  });
}
