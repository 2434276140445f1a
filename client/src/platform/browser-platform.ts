import { networkError } from '../catalog-error.ts';
import { hex, type Platform, type UploadRequest, wait } from './platform.ts';

export const browserPlatform: Platform<Blob> = {
  /** Reads the whole file into memory: there is no incremental digest in browsers. */
  sha256: async (source) => {
    // Missing in pages without TLS.
    const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
    return subtle === undefined ? undefined : hex(await subtle.digest('SHA-256', await source.arrayBuffer()));
  },
  upload,
  wait,
};

/** Not with `fetch`: it reports no progress of an upload. */
async function upload(request: UploadRequest<Blob>): Promise<Response> {
  const { url, headers, head, tail, source, onProgress, signal } = request;
  signal?.throwIfAborted();
  const xhr = new XMLHttpRequest();
  xhr.open('POST', url);
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
  xhr.upload.addEventListener('progress', ({ loaded }) => {
    const ofFile = Math.max(0, Math.min(loaded - head.length, source.size));
    onProgress?.({ loaded: ofFile, total: source.size });
  });
  const abort = (): void => xhr.abort();
  signal?.addEventListener('abort', abort);
  try {
    await new Promise<void>((resolve, reject) => {
      xhr.addEventListener('load', () => resolve());
      xhr.addEventListener('abort', () => reject(signal?.reason as Error));
      xhr.addEventListener('error', () => reject(networkError(undefined)));
      xhr.send(new Blob([head, source, tail]));
    });
  } finally {
    signal?.removeEventListener('abort', abort);
  }
  return new Response(xhr.responseText, { status: xhr.status, headers: headersOf(xhr) });
}

function headersOf(xhr: XMLHttpRequest): Headers {
  const lines = xhr.getAllResponseHeaders().matchAll(/^(.+?): *(.*)$/gm);
  return new Headers(Array.from(lines, ([, name = '', value = '']) => [name, value]));
}
