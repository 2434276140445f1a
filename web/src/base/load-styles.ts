/** Adds a style sheet to the page, unless it has it. */
export async function loadStyles(address: string): Promise<void> {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')];
  if (links.some(({ href }) => href === address)) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = address;
  await new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new TypeError('A style sheet of the gallery cannot be loaded'));
    });
    document.head.append(link);
  });
}
