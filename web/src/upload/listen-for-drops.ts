import { listen } from '../base/listen.ts';

interface DropListener {
  /** Whether files are being dragged over the page. */
  readonly onDrag: (over: boolean) => void;
  readonly onDrop: (data: DataTransfer) => void;
}

/** @returns a function that ends it */
export function listenForDrops({ onDrag, onDrop }: DropListener): () => void {
  let isOver = false;
  // A picture of the page that is dragged looks like a file.
  let isOwn = false;
  const show = (over: boolean): void => {
    if (over !== isOver) onDrag(over);
    isOver = over;
  };
  const allow = (event: DragEvent): void => {
    if (isOwn || event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'copy';
    show(true);
  };
  const take = (event: DragEvent): void => {
    if (!isOver) return;
    event.preventDefault();
    show(false);
    if (event.dataTransfer !== null) onDrop(event.dataTransfer);
  };
  return listen(window, {
    dragstart: () => void (isOwn = true),
    dragend: () => void (isOwn = false),
    dragenter: allow,
    dragover: allow,
    dragleave: ({ relatedTarget }) => relatedTarget === null && show(false),
    // There are none during a drag: it ended elsewhere.
    pointermove: () => show(false),
    drop: take,
  });
}
