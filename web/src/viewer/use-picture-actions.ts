import type { ImageRecord } from '@image-catalog/client';
import { useStore } from '../base/use-store.ts';
import { downloadFile } from '../catalog/download-file.ts';
import { useLinks } from '../catalog/use-links.ts';
import { useDeletions } from '../deletion/use-deletions.ts';
import { useEndingAddresses } from '../publishing/use-ending-addresses.ts';
import { starTexts } from '../star/star-texts.ts';
import { useStars } from '../star/use-stars.ts';
import { useTrouble } from '../trouble/use-trouble.ts';
import { useAddressBar } from '../view-state/use-address-bar.ts';
import type { Walk } from './use-walk.ts';
import { viewerTexts } from './viewer-texts.ts';

export interface PictureActions {
  /** To the next picture or the previous one; `showHint` says that there is none. */
  readonly step: (by: 1 | -1) => void;
  /** Shows the next picture. An undone deletion leads back, unless the viewer was closed meanwhile. */
  readonly remove: () => void;
  readonly isStarred: boolean;
  readonly star: () => void;
  readonly download: () => void;
}

export interface PictureActionsOptions {
  readonly record: ImageRecord;
  readonly walk: Walk;
  readonly showHint: (text: string) => void;
  readonly onShow: (record: ImageRecord) => void;
  readonly onClose: () => void;
}

export function usePictureActions(options: PictureActionsOptions): PictureActions {
  const { record, walk, showHint, onShow, onClose } = options;
  const links = useLinks();
  const addressBar = useAddressBar();
  const deletions = useDeletions();
  const endings = useEndingAddresses();
  const stars = useStars();
  useStore(stars.pending);
  const isStarred = stars.has(record);
  const trouble = useTrouble();
  return {
    step: (by) => {
      if (walk.step(by) || walk.position === undefined) return;
      showHint(by === 1 ? viewerTexts().last : viewerTexts().first);
    },
    remove: () => {
      const follower = walk.next ?? walk.previous;
      endings.ask([record.id], () => {
        // The person may have gone to another picture before the question was shown.
        if (addressBar.view.get().image !== record.id) return;
        deletions.delete([record.id], {
          onUndone: () => {
            if (addressBar.view.get().image !== undefined) onShow(record);
          },
        });
        if (follower === undefined) onClose();
        else onShow(follower);
      });
    },
    isStarred,
    star: () => {
      showHint(starTexts().said(1, !isStarred));
      stars.set([record.id], !isStarred);
    },
    download: () => {
      downloadFile(links, record.id).catch((error: unknown) => trouble.report(error));
    },
  };
}
