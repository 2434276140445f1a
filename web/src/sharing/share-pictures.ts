import type { ImageCatalog } from '@image-catalog/client';

/** Contract, section 17. */
export const MAX_SHARED = 100;

/** Seconds: a day and a week, the longest that the service allows. */
export const LIFETIMES = [86_400, 604_800] as const;

export type Lifetime = (typeof LIFETIMES)[number];

export interface SharedPage {
  readonly url: string;
  /** RFC 3339. */
  readonly expiresAt: string;
  /** Pictures that are not on it: they have been deleted. */
  readonly missing: number;
}

/** @returns `undefined` if all of the pictures have been deleted */
export async function sharePictures(
  catalog: Pick<ImageCatalog, 'links'>,
  ids: readonly number[],
  { title, ttlSeconds }: { readonly title: string; readonly ttlSeconds: Lifetime },
): Promise<SharedPage | undefined> {
  const page = { title: title.trim() === '' ? null : title.trim() };
  const { page: url, expiresAt, missing } = await catalog.links(ids, { ttlSeconds, page });
  return typeof url === 'string' ? { url, expiresAt, missing: missing.length } : undefined;
}
