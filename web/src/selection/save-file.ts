/** @param name of the file; without, the response says that it is to be saved, and under which name */
export function saveFile(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
