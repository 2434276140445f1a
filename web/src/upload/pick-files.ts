import type { InputFormat } from '../base/media-types.ts';

type Take = (files: Iterable<File>) => void;

/** Opens the dialog of the browser. Phones convert HEIC to JPEG because of the types. */
export function pickPictures(inputFormats: readonly InputFormat[], take: Take): void {
  pick({ accept: acceptOf(inputFormats), multiple: true }, take);
}

export function pickPicture(inputFormats: readonly InputFormat[], take: (file: File) => void): void {
  pick({ accept: acceptOf(inputFormats) }, ([file]) => file !== undefined && take(file));
}

export function pickFolder(take: Take): void {
  pick({ webkitdirectory: true }, take);
}

/** Opens the camera. */
export function takePhoto(take: Take): void {
  pick({ accept: 'image/jpeg', capture: 'environment' }, take);
}

/** Computers would open the dialog for files. */
export function canTakePhotos(): boolean {
  return 'capture' in HTMLInputElement.prototype && matchMedia('(pointer: coarse)').matches;
}

/** Phones have no folders to choose. */
export function canPickFolders(): boolean {
  return 'webkitdirectory' in HTMLInputElement.prototype && !matchMedia('(pointer: coarse)').matches;
}

function acceptOf(inputFormats: readonly InputFormat[]): string {
  return inputFormats.map((format) => `image/${format}`).join(',');
}

function pick(options: Partial<HTMLInputElement>, take: Take): void {
  const input = document.createElement('input');
  Object.assign(input, options, { type: 'file', hidden: true });
  input.addEventListener('change', () => {
    input.remove();
    take(input.files ?? []);
  });
  input.addEventListener('cancel', () => input.remove());
  // Some browsers forget an input that is not in the page.
  document.body.append(input);
  input.click();
}
