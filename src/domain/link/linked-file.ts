import { parseFocusText } from '../image/focus.ts';
import {
  CLEAN,
  DEFAULT_QUALITY,
  type Derivative,
  derivativeName,
  focusedOn,
  RENDITION_FITS,
  RENDITION_FORMATS,
  type Rendition,
  type RenditionFit,
  renditionExtension,
} from '../image/rendition.ts';

/** What a link shows. */
export interface LinkedFile {
  /** `undefined` for the original. */
  readonly rendition: Derivative | undefined;
  /** Browsers save the file instead of showing it. */
  readonly isDownload: boolean;
}

const ORIGINAL = 'original';
const DOWNLOAD = '-download';

/** The canonical spelling: equal names mean equal files. Safe as a segment of a path. */
export function linkedFileName({ rendition, isDownload }: LinkedFile): string {
  const name = rendition === undefined ? ORIGINAL : derivativeName(rendition);
  return isDownload ? `${name}${DOWNLOAD}` : name;
}

/** `undefined` for any spelling but the canonical one. */
export function parseLinkedFile(name: string): LinkedFile | undefined {
  const isDownload = name.endsWith(DOWNLOAD);
  const shown = isDownload ? name.slice(0, -DOWNLOAD.length) : name;
  if (shown === ORIGINAL) return { rendition: undefined, isDownload };
  if (shown === CLEAN) return { rendition: CLEAN, isDownload };
  const rendition = parseRenditionName(shown);
  return rendition && { rendition, isDownload };
}

const SIDE = 'auto|[1-9]\\d{0,5}';
const RENDITION_NAME = new RegExp(
  `^(${SIDE})x(${SIDE})-(${RENDITION_FITS.join('|')})(?:-(\\d+x\\d+))?-(?:lossless|q([1-9]\\d{0,2}))\\.([a-z]+)$`,
);

function parseRenditionName(name: string): Rendition | undefined {
  const [, width = '', height = '', fit = '', focus = '', quality, extension = ''] =
    RENDITION_NAME.exec(name) ?? [];
  const format = RENDITION_FORMATS.find((candidate) => renditionExtension(candidate) === extension);
  if (format === undefined) return undefined;
  const whole: Rendition = {
    width: sideOf(width),
    height: sideOf(height),
    fit: fit as RenditionFit,
    format,
    quality: quality === undefined ? DEFAULT_QUALITY : Number(quality),
  };
  const rendition = focusedOn(whole, parseFocusText(focus) ?? null);
  // Several spellings give the same rendition, such as a quality of PNG.
  return derivativeName(rendition) === name ? rendition : undefined;
}

function sideOf(text: string): number | undefined {
  return text === 'auto' ? undefined : Number(text);
}
