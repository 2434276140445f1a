import type { OpenImageFile } from '../../../application/files/open-image-file.ts';
import type { StoreLinks } from '../../../domain/ports/bytes/store-links.ts';
import type { Delivery } from '../route/http-settings.ts';
import type { TryOffload } from '../route/route-parts.ts';
import { accelRedirect } from './accel-redirect.ts';
import { redirectToStore } from './redirect-to-store.ts';

/** @param links of the store, if it has any */
export function offloadTo(
  delivery: Delivery,
  links: StoreLinks | undefined,
  openImageFile: OpenImageFile,
): TryOffload {
  if (delivery.kind === 'nginx') return accelRedirect(openImageFile, delivery.prefix, delivery.blobFolder);
  if (delivery.kind === 'bucket' && links !== undefined) return redirectToStore(openImageFile, links);
  return async () => false;
}
