import type { ImageCatalog } from '@image-catalog/client';
import { createContext, useContext } from 'react';
import type { ImageLinks } from './catalog/image-links.ts';
import type { Deletions } from './deletion/deletions.ts';
import type { GridModel } from './grid/grid-model.ts';
import type { CurrentImages } from './images/current-images.ts';
import type { Notices } from './notices/notices.ts';
import type { Selection } from './selection/selection.ts';
import type { Session } from './session/session.ts';
import type { WebConfig } from './session/web-config.ts';
import type { Shortcuts } from './shortcuts/shortcuts.ts';
import type { Trouble } from './states/trouble.ts';
import type { Theme } from './theme/theme.ts';
import type { Uploads } from './upload/uploads.ts';
import type { AddressBar } from './view-state/address-bar.ts';

/** What the components share. Made once, in `main.tsx`. */
export interface Gallery {
  readonly config: WebConfig;
  readonly session: Session;
  readonly catalog: ImageCatalog;
  readonly links: ImageLinks;
  readonly addressBar: AddressBar;
  readonly images: CurrentImages;
  /** What of the list is in view. */
  readonly grid: GridModel;
  readonly selection: Selection;
  readonly deletions: Deletions;
  readonly uploads: Uploads;
  readonly notices: Notices;
  /** Every error of a request that is not handled elsewhere is reported here. */
  readonly trouble: Trouble;
  readonly shortcuts: Shortcuts;
  readonly theme: Theme;
}

const GalleryContext = createContext<Gallery | undefined>(undefined);

export const GalleryProvider = GalleryContext.Provider;

export function useGallery(): Gallery {
  const gallery = useContext(GalleryContext);
  if (gallery === undefined) throw new TypeError('A component is outside of GalleryProvider');
  return gallery;
}
