/** Picks files; shows the progress of all uploads as a ring. */
export function UploadButton(): React.JSX.Element | null {
  return null;
}
