/** What can be done with the selected pictures. */
export function SelectionBar(): React.JSX.Element | null {
  return null;
}
