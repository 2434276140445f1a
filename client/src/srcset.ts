import type { ImageRecord } from './image-record.ts';
import type { Rendition } from './queries.ts';

/** `{?a,b}` of RFC 6570, section 3.2.8: the only kind of expression in the links of a record. */
export function expandTemplate(template: string, values: Rendition): string {
  return template.replace(/\{\?([^}]*)\}/, (_expression, names: string) => {
    const search = new URLSearchParams();
    for (const name of names.split(',')) {
      const value = values[name as keyof Rendition];
      if (value !== undefined) search.set(name, String(value));
    }
    return search.size === 0 ? '' : `?${search}`;
  });
}

/** All widths below that of the picture, and the first above it: the service never enlarges. */
export function candidateWidths({ width, links }: ImageRecord): readonly number[] {
  const { widths } = links.renditions;
  const end = widths.findIndex((candidate) => candidate >= width);
  return end === -1 ? widths : widths.slice(0, end + 1);
}
