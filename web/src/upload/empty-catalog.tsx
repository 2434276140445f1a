/** In the place of the pictures if there are none. */
export function EmptyCatalog(): React.JSX.Element | null {
  return null;
}
