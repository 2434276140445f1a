/**
 * Headers for caches from which an operator can remove responses by their tags.
 *
 * @param seconds that such a cache may keep the response; by default as long as all others
 */
export type CacheTags = (tags: readonly string[], seconds?: number) => Readonly<Record<string, string>>;

/** @param header in which the caches look for tags; `undefined`: there are none */
export function cacheTags(header: string | undefined): CacheTags {
  if (header === undefined) return () => ({});
  // Cloudflare and Akamai separate by commas. https://developers.cloudflare.com/cache/how-to/purge-cache/purge-by-tags/
  const separator = header.toLowerCase() === 'cache-tag' ? ',' : ' ';
  return (tags, seconds) => ({
    [header]: tags.join(separator),
    // RFC 9213.
    ...(seconds !== undefined && { 'CDN-Cache-Control': `public, max-age=${seconds}` }),
  });
}

export function imageTag(id: number): string {
  return `image-${id}`;
}

export function nameTag(number: number): string {
  return `name-${number}`;
}
