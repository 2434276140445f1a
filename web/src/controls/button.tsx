export function Button(props: React.ComponentProps<'button'>): React.JSX.Element {
  return <button type="button" className="button" {...props} />;
}
