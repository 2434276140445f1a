/** The pictures of the view in justified rows. */
export function Grid(): React.JSX.Element | null {
  return null;
}
