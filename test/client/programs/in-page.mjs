// Runs the built client in a page.
import * as client from '../../../client/dist/browser.js';
import { roundTrip } from './round-trip.mjs';

export async function usesEveryCall({ url, tokens, base64 }) {
  const picture = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  return await roundTrip(client, { url, tokens, picture });
}

/** What an upload rejects with that is aborted at its first progress. */
export async function abortsUpload({ url, token }) {
  const abort = new AbortController();
  const images = new client.ImageCatalog({ url, getToken: () => token });
  const onProgress = () => abort.abort(new RangeError('enough'));
  const upload = images.upload(new Blob([new Uint8Array(150_000)]), { signal: abort.signal, onProgress });
  return await upload.catch((error) => error.message);
}

/** What an upload rejects with if nothing listens at the address. */
export async function reachesNothing({ url }) {
  const images = new client.ImageCatalog({ url, getToken: () => 'token', retries: 0 });
  return await images.upload(new Blob(['bytes'])).catch(({ code, status }) => ({ code, status }));
}

/** What two uploads of a picture by one ticket resolve to, and the progress of the first. */
export async function uploadsByTicket({ url, base64 }) {
  const picture = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  const progress = [];
  const first = await client.uploadByTicket(url, picture, { onProgress: (step) => progress.push(step) });
  return { first, second: await client.uploadByTicket(url, picture), last: progress.at(-1) };
}

/** What a call and an upload reject with if the token has 20,000 characters, and how often they were repeated. */
export async function sendsLongToken({ url }) {
  let retries = 0;
  const observer = { retrying: () => (retries += 1), succeeded: () => undefined };
  const images = new client.ImageCatalog({ url, getToken: () => 'x'.repeat(20_000), observer });
  const refusals = [images.usage(), images.upload(new Blob(['bytes']))].map((call) =>
    call.catch(({ kind, status, message }) => ({ kind, status, message })),
  );
  return { refusals: await Promise.all(refusals), retries };
}
