/** Words, tags and dates; filters are shown as chips. */
export function SearchBox(): React.JSX.Element | null {
  return null;
}
