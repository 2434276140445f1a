/** One picture over the whole window, with its panel. */
export function Viewer(): React.JSX.Element | null {
  return null;
}
