import type { ImageCatalog } from '@image-catalog/client';
import type { LinkCache } from '../catalog/link-cache.ts';
import type { Session } from '../session/session.ts';
import type { WebConfig } from '../session/web-config.ts';
import { requiredContext } from './required-context.ts';

/** The catalog on the server, and who asks it. */
export interface Service {
  readonly config: WebConfig;
  readonly session: Session;
  readonly catalog: ImageCatalog;
  readonly links: LinkCache;
}

export const [ServiceProvider, useService] = requiredContext<Service>();
