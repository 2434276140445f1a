/** Files that systems put into folders: `.DS_Store`, `._cat.jpg`, `Thumbs.db`, `desktop.ini`. */
export function isSystemFile(name: string): boolean {
  return name.startsWith('.') || /^(thumbs\.db|ehthumbs\.db|desktop\.ini)$/i.test(name);
}
