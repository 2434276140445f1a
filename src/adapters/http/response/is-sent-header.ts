/** In lower case: what responses of the listeners have, with what Node.js adds. */
const SENT_HEADERS: ReadonlySet<string> = new Set([
  'accept-patch',
  'accept-ranges',
  'allow',
  'cache-control',
  'cdn-cache-control',
  'changes-cursor',
  'connection',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-location',
  'content-range',
  'content-security-policy',
  'content-type',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'date',
  'etag',
  'idempotency-replayed',
  'keep-alive',
  'last-modified',
  'link',
  'location',
  'referrer-policy',
  'repr-digest',
  'retry-after',
  'trailer',
  'transfer-encoding',
  'vary',
  'www-authenticate',
  'x-accel-buffering',
  'x-accel-redirect',
  'x-content-type-options',
  'x-request-id',
  'x-robots-tag',
  'x-total-count',
]);

/** Whether the service itself sends a header of this name, in whatever case. */
export function isSentHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return SENT_HEADERS.has(lower) || lower.startsWith('access-control-');
}
