import { thumbHashToAverageRGBA } from 'thumbhash';
import type { OpenedPage } from '../../../application/links/open-page.ts';
import type { CatalogImage, Image } from '../../../domain/image/image.ts';
import { fitsFormat, renditionIn } from '../../../domain/image/rendition.ts';
import { linkPath } from '../../../domain/link/signed-link.ts';
import { Html, html } from './html.ts';
import { PAGE_STYLE } from './page-style.ts';
import type { PageTexts } from './page-texts.ts';

export interface PageDocument {
  readonly text: string;
  /** The content of its one style element. */
  readonly style: string;
}

interface PageNames {
  /** The name of the catalog; `undefined` if it has none. */
  readonly catalog: string | undefined;
  readonly texts: PageTexts;
}

export interface PageLinks {
  /** The public address of the web listener, with a slash at its end. */
  readonly webUrl: string;
  /** The widths of renditions in pixels, ascending. */
  readonly sizes: readonly number[];
}

/** The first ones are in view on most screens. */
const EAGER = 6;

export function pageDocument(
  page: OpenedPage,
  links: PageLinks,
  { catalog, texts }: PageNames,
): PageDocument {
  const { images, expiresAt } = page;
  const heights = rowHeights(images.length);
  const style = `${PAGE_STYLE}${rowStyle(heights)}${images.map(pictureStyle).join('\n')}\n`;
  const title = page.title ?? texts.title;
  const pictures = images.map((image, at) =>
    pictureItem({ image, at, of: images.length, page, links, texts }),
  );
  const body = html`<header><h1>${title}</h1><p>${texts.count(images.length)}</p></header>
<main><ul>${pictures}</ul></main>
<footer><p>${texts.availableUntil} <time datetime="${expiresAt.toISOString()}">${untilOf(expiresAt, texts.locale)}</time>.</p><p>${texts.isMissing} <a href="">${texts.loadAgain}</a></p></footer>`;
  return { style, text: documentOf({ title, style, body, catalog, texts }) };
}

/** For errors. */
export function messageDocument(errorCode: string, { catalog, texts }: PageNames): PageDocument {
  const message = texts.errors[errorCode] ?? texts.otherError;
  const [title = message, hint = ''] = message.split(/(?<=\.) /);
  const body = html`<main class="message">${PICTURE_ICON}<h1>${title}</h1>${hint === '' ? '' : html`<p>${hint}</p>`}</main>`;
  return { style: PAGE_STYLE, text: documentOf({ title, style: PAGE_STYLE, body, catalog, texts }) };
}

interface DocumentParts extends PageNames {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
}

function documentOf({ title, style, body, catalog, texts }: DocumentParts): string {
  return html`<!doctype html>
<html lang="${texts.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${catalog === undefined ? title : `${title} – ${catalog}`}</title>
<style>${new Html(style)}</style>
</head>
<body>${
    catalog === undefined
      ? ''
      : html`
<p class="catalog">${catalog}</p>`
  }
${body}
</body>
</html>
`.text;
}

interface Picture {
  readonly image: CatalogImage;
  readonly at: number;
  readonly of: number;
  readonly page: OpenedPage;
  readonly links: PageLinks;
  readonly texts: PageTexts;
}

function pictureItem({ image, at, of, page, links, texts }: Picture): Html {
  const urlOf = (file: Parameters<OpenedPage['link']>[1]): string =>
    links.webUrl + linkPath(page.link(image, file));
  const widths = widthsOf(image, links.sizes);
  const candidates = widths.map((width) => ({ width, url: urlOf({ width, format: 'webp' }) }));
  const shown = candidates.find(({ width }) => width >= 640) ?? candidates.at(-1);
  const name = texts.picture(at + 1, of);
  const srcset = candidates.map(({ width, url }) => `${url} ${width}w`).join(', ');
  // A link needs a name, also if screen readers should skip its picture.
  const label = image.alt === '' ? html` aria-label="${name}"` : '';
  return html`<li id="p${at}"><a href="${urlOf(ORIGINAL)}"${label}><img src="${shown?.url ?? urlOf(ORIGINAL)}"${
    srcset === '' ? '' : html` srcset="${srcset}" sizes="${displayedSizes(image, of)}"`
  } width="${image.width}" height="${image.height}" alt="${image.alt ?? name}" decoding="async"${
    at < EAGER ? '' : html` loading="lazy"`
  }></a><a class="save" href="${urlOf({ ...ORIGINAL, download: true })}" download aria-label="${texts.download(at + 1)}">${DOWNLOAD_ICON}</a></li>
`;
}

/** A page tells nothing but its pictures. */
const ORIGINAL = { metadata: 'none' } as const;

const PICTURE_ICON = new Html(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M6 4.5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm-2 11 4.5-4.5 5 5m-1.5-1.5 3-3 5 5M15.5 9h.01"/></svg>',
);

const DOWNLOAD_ICON = new Html(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 4v11m-5-5 5 5 5-5M5 20h14"/></svg>',
);

const SMALLEST = 320;
const LARGEST = 2048;
/** More candidates than that would save few bytes. */
const STEP = 1.4;

/** No wider than the original, and in WebP. Empty if the original itself is to be shown. */
function widthsOf(image: Image, sizes: readonly number[]): readonly number[] {
  const fitting = sizes.filter(
    (width) => width <= Math.min(image.width, LARGEST) && fitsFormat(image, renditionIn('webp', { width })),
  );
  const useful = fitting.filter((width) => width >= SMALLEST);
  const chosen: number[] = [];
  for (const width of useful.length > 0 ? useful : fitting.slice(-1)) {
    if (width >= (chosen.at(-1) ?? 0) * STEP) chosen.push(width);
  }
  return chosen;
}

/** Rows grow until they are full, so a picture is somewhat larger than its target. */
function displayedSizes({ width, height }: Image, pictures: number): string {
  const { phone, desk } = rowHeights(pictures);
  const [small, large] = [phone, desk].map((side) => Math.round((width / height) * side * 1.25));
  return `(min-width:600px) min(100vw, ${large}px), min(100vw, ${small}px)`;
}

function rowStyle({ phone, desk }: { readonly phone: number; readonly desk: number }): string {
  return `ul{--height:${phone}px}@media (min-width:600px){ul{--height:${desk}px}}\n`;
}

function pictureStyle({ width, height, thumbhash }: Image, at: number): string {
  return `#p${at}{--ratio:${(width / height).toFixed(4)};--colour:${colourOf(thumbhash)}}`;
}

function colourOf(thumbhash: string): string {
  const { r, g, b, a } = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'));
  const [red, green, blue] = [r, g, b].map((part) => Math.round(Math.min(Math.max(part, 0), 1) * 255));
  // A transparent picture is shown on the page itself.
  return a < 1 ? 'transparent' : `rgb(${red} ${green} ${blue})`;
}

function untilOf(expiresAt: Date, locale: string): string {
  return `${expiresAt.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}

/** Target height of a row in pixels: a few pictures may be large. */
function rowHeights(pictures: number): { readonly phone: number; readonly desk: number } {
  if (pictures <= 2) return { phone: 320, desk: 560 };
  if (pictures <= 12) return { phone: 200, desk: 340 };
  // Two landscapes share a row of a phone.
  return { phone: 112, desk: 240 };
}
