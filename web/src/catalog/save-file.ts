/** @param name of the saved file. If it is empty, the `Content-Disposition` of the response must have `attachment` and the name. */
export function saveFile(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
