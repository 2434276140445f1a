import type { ImageRecord } from '@image-catalog/client';
import { useChanges } from '../contexts/changes.ts';
import { usePage } from '../contexts/page.ts';
import { useService } from '../contexts/service.ts';
import { useView } from '../contexts/view.ts';
import { downloadOriginal } from '../panel/download.ts';
import { useStore } from '../store.ts';
import { texts } from '../texts.ts';
import type { Walk } from './picture/use-walk.ts';

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
  const { links } = useService();
  const { addressBar } = useView();
  const { deletions, stars } = useChanges();
  useStore(stars.pending);
  const isStarred = stars.has(record);
  const { trouble } = usePage();
  return {
    step: (by) => {
      if (walk.step(by) || walk.position === undefined) return;
      showHint(by === 1 ? texts.viewer.last : texts.viewer.first);
    },
    remove: () => {
      const follower = walk.next ?? walk.previous;
      deletions.delete([record.id], {
        onUndone: () => {
          if (addressBar.view.get().image !== undefined) onShow(record);
        },
      });
      if (follower === undefined) onClose();
      else onShow(follower);
    },
    isStarred,
    star: () => {
      showHint(texts.star.said(1, !isStarred));
      stars.set([record.id], !isStarred);
    },
    download: () => {
      downloadOriginal(links, record.id).catch((error: unknown) => trouble.report(error));
    },
  };
}
