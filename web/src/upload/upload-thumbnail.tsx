import { useEffect, useRef } from 'react';
import { drawThumbnail } from './draw-thumbnail.ts';
import type { UploadItem } from './upload-item.ts';

/** Pixels, for a screen with two pixels to a point. */
const SIDE = 80;

/** Says nothing to screen readers: the name is beside it. */
export function UploadThumbnail({ item }: { readonly item: UploadItem }): React.JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const end = new AbortController();
    if (canvas.current !== null) void drawThumbnail(item, canvas.current, end.signal);
    return () => end.abort();
  }, [item]);
  return <canvas ref={canvas} className="upload-thumbnail" width={SIDE} height={SIDE} aria-hidden="true" />;
}
