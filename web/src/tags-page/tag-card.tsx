import type { ImageCatalog, ImageRecord, TagCount } from '@image-catalog/client';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Turns } from '../base/turns.ts';
import { Thumbnail } from '../catalog/thumbnail.tsx';
import { useCatalog } from '../catalog/use-catalog.ts';
import { useSeen } from '../controls/use-seen.ts';
import { commonTexts } from '../languages/common-texts.ts';
import { ViewLink } from '../view-state/view-link.tsx';
import { NO_FILTERS } from '../view-state/view-state.ts';

/** The service has two places beside those of others. */
const searches = new Turns(2);

/** A tag, with its newest picture. */
export function TagCard({ tag, count }: TagCount): React.JSX.Element {
  const link = useRef<HTMLAnchorElement>(null);
  const [item, setItem] = useState<HTMLElement | null>(null);
  const record = useNewest(tag, useSeen(link));
  return (
    <li ref={setItem}>
      <ViewLink ref={link} className="tag-card" title={tag} view={{ ...NO_FILTERS, tags: [tag] }}>
        <span className="tag-card-box">
          {record !== undefined && (
            <Thumbnail
              record={record}
              className="tag-card-picture"
              sizes="(max-width: 639px) 45vw, 200px"
              isDecoration
              layer={item}
            />
          )}
        </span>
        <span className="tag-card-name">{tag}</span>
        <span className="tag-card-count">{commonTexts().pictures(count)}</span>
      </ViewLink>
    </li>
  );
}

function useNewest(tag: string, isSeen: boolean): ImageRecord | undefined {
  const catalog = useCatalog();
  const { data } = useQuery({
    queryKey: ['tag-picture', tag],
    queryFn: ({ signal }) => searches.run(async () => await newestOf(catalog, tag, signal), signal),
    enabled: isSeen,
    staleTime: 60_000,
  });
  return data ?? undefined;
}

/** A query must not resolve to `undefined`. */
async function newestOf(
  catalog: ImageCatalog,
  tags: string,
  signal: AbortSignal,
): Promise<ImageRecord | null> {
  const newest = catalog.list({ tags, sort: 'taken', order: 'desc', limit: 1 }, { signal });
  return (await newest.next()).value ?? null;
}
