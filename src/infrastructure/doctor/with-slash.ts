export function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
