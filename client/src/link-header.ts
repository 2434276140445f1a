/** The target of the link with `rel="next"`: RFC 8288. */
export function nextOf(header: string | null): string | undefined {
  return /<([^>]*)>\s*;\s*rel="?next"?/.exec(header ?? '')?.[1];
}
