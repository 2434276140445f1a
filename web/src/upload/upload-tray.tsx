/** The uploads, a row for each file. */
export function UploadTray(): React.JSX.Element | null {
  return null;
}
