import { english } from './english.ts';
import type { Formats } from './formats-of.ts';
import { roomTexts } from './texts.ts';

/** How the language in use writes numbers, dates and lists. */
export const formats = roomTexts<Formats>('formats', english);
