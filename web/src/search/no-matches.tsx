/** In the place of the pictures if no picture matches the view. */
export function NoMatches(): React.JSX.Element | null {
  return null;
}
