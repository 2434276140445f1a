import type { Change, ImageCatalog } from '@image-catalog/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';

/** The service does not list the names of a picture: the gallery looks for them among the first of all. */
export const MOST_NAMES = 5000;

/** The most of a response. */
const PAGE = 1000;

const KEY = ['names'] as const;

export interface KnownNames {
  /** The id of the picture of each name, in the order of the names. */
  readonly images: ReadonlyMap<string, number>;
  /** There are no further names. */
  readonly isAll: boolean;
}

export function namesQuery(catalog: Pick<ImageCatalog, 'listNames'>) {
  return queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => readNames(catalog, signal),
    // Changes are followed while a picture is open.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

async function readNames(catalog: Pick<ImageCatalog, 'listNames'>, signal: AbortSignal): Promise<KnownNames> {
  const images = new Map<string, number>();
  for await (const { name, id } of catalog.listNames({ limit: PAGE }, { signal })) {
    if (images.size === MOST_NAMES) return { images, isAll: false };
    images.set(name, id);
  }
  return { images, isAll: true };
}

export function namesOf({ images }: KnownNames, id: number): readonly string[] {
  return [...images].filter(([, image]) => image === id).map(([name]) => name);
}

/** @param image to which the name points now; `undefined` if it is gone */
export function learnName(queries: QueryClient, name: string, image: number | undefined): void {
  // The response under way may be older.
  if (queries.isFetching({ queryKey: KEY }) > 0) {
    void readAgain(queries);
    return;
  }
  queries.setQueryData<KnownNames>(
    KEY,
    (known) => known && { ...known, images: withName(known, name, image) },
  );
}

async function readAgain(queries: QueryClient): Promise<void> {
  await queries.cancelQueries({ queryKey: KEY });
  await queries.invalidateQueries({ queryKey: KEY });
}

/** Nothing was followed until now. */
export function forgetNames(queries: QueryClient): void {
  queries.removeQueries({ queryKey: KEY });
}

export function followNames(queries: QueryClient, changes: readonly Change[]): void {
  for (const { type, name, id } of changes) {
    if (type === 'name.set' && name !== undefined) learnName(queries, name, id);
    if (type === 'name.removed' && name !== undefined) learnName(queries, name, undefined);
  }
}

function withName(
  { images, isAll }: KnownNames,
  name: string,
  image: number | undefined,
): ReadonlyMap<string, number> {
  const changed = new Map(images);
  changed.delete(name);
  if (image === undefined || (!isAll && !images.has(name))) return changed;
  changed.set(name, image);
  // By code point, which is that of the service: names are ASCII.
  return new Map([...changed].sort(([a], [b]) => (a < b ? -1 : 1)));
}
