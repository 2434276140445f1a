import { useState } from 'react';
import { useNotices } from '../notices/use-notices.ts';
import { copyingTexts } from './copying-texts.ts';

interface Copy {
  readonly copy: (link: string) => Promise<void>;
  /** The last link, if the browser does not let the page copy. */
  readonly uncopied: string | undefined;
}

export function useCopy(): Copy {
  const notices = useNotices();
  const [uncopied, setUncopied] = useState<string>();
  return {
    uncopied,
    copy: async (link) => {
      try {
        await navigator.clipboard.writeText(link);
        setUncopied(undefined);
        notices.show(copyingTexts().copied);
      } catch {
        setUncopied(link);
      }
    },
  };
}
