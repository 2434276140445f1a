import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { StoreLinks } from '../../../domain/ports/bytes/store-links.ts';
import { accelRedirect } from './accel-redirect.ts';
import type { Offload } from './offload.ts';
import { redirectToStore } from './redirect-to-store.ts';

export type OffloadTarget =
  | { readonly kind: 'nginx'; readonly prefix: string; readonly blobFolder: string }
  | { readonly kind: 'bucket'; readonly links: StoreLinks };

export function offloadTo(
  target: OffloadTarget | undefined,
  openImageFile: OpenImageFile,
): Offload | undefined {
  switch (target?.kind) {
    case undefined:
      return undefined;
    case 'nginx':
      return accelRedirect(openImageFile, target.prefix, target.blobFolder);
    case 'bucket':
      return redirectToStore(openImageFile, target.links);
  }
}
