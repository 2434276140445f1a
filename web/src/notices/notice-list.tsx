/** Short sentences at the edge of the page. */
export function NoticeList(): React.JSX.Element | null {
  return null;
}
