/** The timeline at the edge: years and months with their counts. */
export function Scrubber(): React.JSX.Element | null {
  return null;
}
