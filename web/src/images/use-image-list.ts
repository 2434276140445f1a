import { useSyncExternalStore } from 'react';
import { useStore } from '../base/use-store.ts';
import type { ImageList } from './image-list.ts';
import { useImages } from './use-images.ts';

/** The list of the present view; renders again when it changes. */
export function useImageList(): ImageList | undefined {
  const images = useImages();
  const list = useStore(images.list);
  useSyncExternalStore(list?.version.subscribe ?? subscribeToNothing, list?.version.get ?? noVersion);
  return list;
}

function subscribeToNothing(): () => void {
  return () => undefined;
}

function noVersion(): number {
  return -1;
}
