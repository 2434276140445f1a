/** What is known about the picture, editable in place. */
export function Panel(): React.JSX.Element | null {
  return null;
}
