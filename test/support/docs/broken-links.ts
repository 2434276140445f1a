import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const LINK = /\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g;

export interface Link {
  readonly page: string;
  readonly target: string;
}

/**
 * The links of a page in Markdown to files or headings that do not exist. Links with a scheme are not followed.
 *
 * @param exists whether the file or folder at this absolute path exists
 */
export function brokenLinks(page: string, exists: (path: string) => boolean): readonly Link[] {
  return linksOf(page).filter((link) => !isGood(link, exists));
}

function linksOf(page: string): readonly Link[] {
  return [...proseOf(page).matchAll(LINK)]
    .map(([, inMarkdown, inHtml]) => ({ page, target: inMarkdown ?? inHtml ?? '' }))
    .filter(({ target }) => !/^[a-z]+:/.test(target));
}

function isGood({ page, target }: Link, exists: (path: string) => boolean): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page : resolve(dirname(page), path);
  if (!exists(file)) return false;
  return anchor === undefined || (statSync(file).isFile() && anchorsOf(file).has(anchor));
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(page: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = slugOf(heading);
    let anchor = slug;
    for (let copy = 1; anchors.has(anchor); copy += 1) anchor = `${slug}-${copy}`;
    anchors.add(anchor);
  }
  return anchors;
}

function slugOf(heading: string): string {
  const text = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The page without its blocks of code, in which brackets and number signs mean other things. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');
}
