/** The list of keys. */
export function ShortcutsDialog(): React.JSX.Element | null {
  return null;
}
