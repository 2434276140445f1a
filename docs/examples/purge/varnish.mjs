import { ALL } from './tags.mjs';

/** Varnish takes 8 KiB of a header. */
const TAGS_AT_A_TIME = 100;

/**
 * Purges by `deploy/varnish.vcl`.
 *
 * @param urls the listeners called `purge`, of each Varnish
 * @param tags or `ALL`
 */
export async function purgeVarnish(urls, tags) {
  const requests = tags === ALL ? [{}] : batchesOf(tags).map((batch) => ({ xkey: batch.join(' ') }));
  await Promise.all(urls.flatMap((url) => requests.map((headers) => purge(url, headers))));
}

function batchesOf(tags) {
  const count = Math.ceil(tags.length / TAGS_AT_A_TIME);
  return Array.from({ length: count }, (_, at) => tags.slice(at * TAGS_AT_A_TIME, (at + 1) * TAGS_AT_A_TIME));
}

async function purge(url, headers) {
  const response = await fetch(url, { method: 'PURGE', headers });
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
}
