/** Takes files that are dropped or pasted anywhere. */
export function DropZone(): React.JSX.Element | null {
  return null;
}
