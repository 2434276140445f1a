import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { StoreLinks } from '../../../domain/ports/bytes/store-links.ts';
import type { TryOffload } from '../route/route-parts.ts';
import { accelRedirect } from './accel-redirect.ts';
import { redirectToStore } from './redirect-to-store.ts';

export type OffloadTarget =
  | { readonly kind: 'nginx'; readonly prefix: string; readonly blobFolder: string }
  | { readonly kind: 'bucket'; readonly links: StoreLinks };

export function offloadTo(target: OffloadTarget | undefined, openImageFile: OpenImageFile): TryOffload {
  switch (target?.kind) {
    case undefined:
      return async () => false;
    case 'nginx':
      return accelRedirect(openImageFile, target.prefix, target.blobFolder);
    case 'bucket':
      return redirectToStore(openImageFile, target.links);
  }
}
