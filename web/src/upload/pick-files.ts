import type { InputFormat } from '../base/media-types.ts';

/** Opens the dialog of the browser. Phones convert HEIC to JPEG because of the types. */
export function pickPictures(
  inputFormats: readonly InputFormat[],
  take: (files: Iterable<File>) => void,
): void {
  pick(inputFormats, true, take);
}

export function pickPicture(inputFormats: readonly InputFormat[], take: (file: File) => void): void {
  pick(inputFormats, false, ([file]) => file !== undefined && take(file));
}

export function pickFolder(take: (files: Iterable<File>) => void): void {
  const input = document.createElement('input');
  input.webkitdirectory = true;
  open(input, take);
}

/** Opens the camera. */
export function takePhoto(take: (files: Iterable<File>) => void): void {
  const input = document.createElement('input');
  input.accept = 'image/jpeg';
  input.capture = 'environment';
  open(input, take);
}

/** Computers would open the dialog for files. */
export function canTakePhotos(): boolean {
  return 'capture' in HTMLInputElement.prototype && matchMedia('(pointer: coarse)').matches;
}

/** Phones have no folders to choose. */
export function canPickFolders(): boolean {
  return 'webkitdirectory' in HTMLInputElement.prototype && !matchMedia('(pointer: coarse)').matches;
}

function pick(
  inputFormats: readonly InputFormat[],
  multiple: boolean,
  take: (files: Iterable<File>) => void,
): void {
  const input = document.createElement('input');
  input.accept = inputFormats.map((format) => `image/${format}`).join(',');
  input.multiple = multiple;
  open(input, take);
}

function open(input: HTMLInputElement, take: (files: Iterable<File>) => void): void {
  input.type = 'file';
  input.hidden = true;
  input.addEventListener('change', () => {
    input.remove();
    take(input.files ?? []);
  });
  input.addEventListener('cancel', () => input.remove());
  // Some browsers forget an input that is not in the page.
  document.body.append(input);
  input.click();
}
