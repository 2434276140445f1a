/** Who is signed in, the theme, the keys, sign out. */
export function AccountMenu(): React.JSX.Element | null {
  return null;
}
