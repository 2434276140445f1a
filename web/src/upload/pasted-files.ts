import { uploadTexts } from './upload-texts.ts';

/** Files of the clipboard, unless a field takes what else it has: a picture of a page comes with its address. */
export function pastedFiles({ target, clipboardData }: ClipboardEvent, now = new Date()): readonly File[] {
  const isField = target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;
  if (isField && clipboardData?.types.some((type) => type !== 'Files') === true) return [];
  return [...(clipboardData?.files ?? [])].map((file) => named(file, now));
}

/** Browsers call every picture of the clipboard alike. */
function named(file: File, now: Date): File {
  const extension = /^image\.(png|jpe?g)$/.exec(file.name)?.[1];
  if (extension === undefined) return file;
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const time = local.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
  return new File([file], `${uploadTexts().pasted(time)}.${extension}`, { type: file.type });
}
