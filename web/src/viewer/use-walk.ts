import type { ImageRecord } from '@image-catalog/client';
import { useEffect, useRef, useState } from 'react';
import type { ImageList } from '../images/image-list.ts';
import { useImageList } from '../images/use-image-list.ts';
import { useTrouble } from '../trouble/use-trouble.ts';

export interface Walk {
  /** From 0; `undefined` if the picture is not in the list, or as long as its place is looked up. */
  readonly position: number | undefined;
  /** `undefined` if it is not known. */
  readonly count: number | undefined;
  readonly previous: ImageRecord | undefined;
  readonly next: ImageRecord | undefined;
  /** @returns `false` if there is no picture in this direction */
  readonly step: (by: 1 | -1) => boolean;
  readonly toFirst: () => void;
  readonly toLast: () => void;
}

/** The neighbours of a picture in the present view. */
export function useWalk(record: ImageRecord | undefined, onShow: (record: ImageRecord) => void): Walk {
  const trouble = useTrouble();
  const list = useImageList();
  const position = usePosition(list, record);
  const isUnderWay = useRef(false);
  const last = (list?.count ?? 0) - 1;

  useEffect(() => {
    if (list === undefined || position === undefined) return;
    for (const neighbour of [position - 1, position + 1]) {
      const isThere = neighbour < 0 || neighbour >= list.count || list.recordAt(neighbour) !== undefined;
      // An error is reported when the person goes there.
      if (!isThere) void list.load(neighbour).catch(() => undefined);
    }
  }, [list, position]);

  /** Keys that are pressed while a record is under way are left out. */
  function go(to: number): void {
    if (list === undefined || isUnderWay.current) return;
    const known = list.recordAt(to);
    if (known !== undefined) {
      onShow(known);
      return;
    }
    isUnderWay.current = true;
    list
      .load(to)
      .then((loaded) => loaded && onShow(loaded))
      .catch((error: unknown) => trouble.report(error))
      .finally(() => {
        isUnderWay.current = false;
      });
  }

  return {
    position,
    count: list?.contents?.isOpen === true ? undefined : list?.count,
    previous: position === undefined ? undefined : list?.recordAt(position - 1),
    next: position === undefined ? undefined : list?.recordAt(position + 1),
    step: (by) => {
      const to = position === undefined ? -1 : position + by;
      if (to < 0 || to > last) return false;
      go(to);
      return true;
    },
    toFirst: () => go(0),
    toLast: () => go(last),
  };
}

interface Located {
  readonly id: number;
  /** Of the list. */
  readonly version: number | undefined;
  readonly position: number | undefined;
}

/** Looks the picture up if the list has not loaded it: a deep link, or a list that has changed. */
function usePosition(list: ImageList | undefined, record: ImageRecord | undefined): number | undefined {
  const known = record === undefined ? undefined : list?.positionOf(record.id);
  const version = list?.version.get();
  const [located, setLocated] = useState<Located>();
  useEffect(() => {
    if (list === undefined || record === undefined || known !== undefined) return undefined;
    let isOver = false;
    const locate = async (): Promise<void> => {
      const position = await list.locate(record);
      if (isOver) return;
      setLocated({ id: record.id, version, position });
      if (position !== undefined) await list.load(position);
    };
    // Without its place the picture is shown alone.
    locate().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [list, version, record, known]);
  return known ?? (located?.id === record?.id ? located?.position : undefined);
}
