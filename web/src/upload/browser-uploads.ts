import { ImageCatalog } from '@image-catalog/client';
import { canReach } from '../base/can-reach.ts';
import { systemClock } from '../base/clock.ts';
import { Store } from '../base/store.ts';
import type { CurrentImages } from '../images/current-images.ts';
import type { Session } from '../session/session.ts';
import type { WebConfig } from '../session/web-config.ts';
import type { UploadCatalog } from './upload-ports.ts';
import { Uploads } from './uploads.ts';

interface BrowserUploadsOptions {
  readonly config: WebConfig;
  readonly session: Session;
  readonly images: CurrentImages;
}

/** The queue of this page. It asks before the page is left while uploads are under way. */
export function createUploads({ config, session, images }: BrowserUploadsOptions): Uploads {
  const uploads = new Uploads({
    catalog: catalogOf(config, session),
    clock: systemClock,
    digest,
    newKey,
    online: networkState(config.apiUrl),
    session: session.state,
    maxBytes: config.uploadMaxBytes,
    inputFormats: config.inputFormats,
    onUploaded: () => void images.list.get()?.refresh(),
  });
  guardPage(uploads);
  return uploads;
}

function catalogOf({ apiUrl }: WebConfig, { getToken }: Session): UploadCatalog {
  const catalog = new ImageCatalog({ url: apiUrl, getToken, tokenPerRequest: true, retries: 0 });
  return {
    upload: (file, request) => catalog.upload(file, request),
    lookup: (digests) => catalog.lookup(digests),
    probe: async () => void (await catalog.list({ limit: 1 }).next()),
  };
}

async function digest(file: File): Promise<string | undefined> {
  // Missing in pages without TLS.
  const { subtle } = crypto as { readonly subtle?: SubtleCrypto };
  return subtle === undefined
    ? undefined
    : hex(new Uint8Array(await subtle.digest('SHA-256', await file.arrayBuffer())));
}

function newKey(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function networkState(apiUrl: string): Store<boolean> {
  const online = new Store(navigator.onLine);
  const follow = (): void => {
    online.set(navigator.onLine);
    if (!navigator.onLine) void canReach(apiUrl).then((isReached) => isReached && online.set(true));
  };
  follow();
  window.addEventListener('online', follow);
  window.addEventListener('offline', follow);
  return online;
}

/** A listener that is always there would keep the page out of the back-forward cache. */
function guardPage(uploads: Uploads): void {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
  uploads.summary.subscribe(() => {
    if (uploads.hasUnfinished) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  });
}
