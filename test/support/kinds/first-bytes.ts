import type { FileKind } from '../../../src/domain/image/file-kind.ts';

/** The beginning of a file, as the named camera or program writes it. */
export interface FirstBytes {
  readonly what: string;
  readonly kind: FileKind;
  readonly bytes: Buffer;
}

/** In hexadecimal digits; the texts of boxes as letters. */
export const FIRST_BYTES: readonly FirstBytes[] = [
  row('heic', 'a photo of an iPhone', ['00000028', 'ftypheic', '00000000', 'mif1MiHBMiHEMiPrmiafheic']),
  row('heic', 'a HEIC of libheif', ['00000018', 'ftypmif1', '00000000', 'mif1heic']),
  row('heic', 'a burst of a phone', ['00000018', 'ftyphevc', '00000000', 'msf1hevc']),
  row('avif', 'an AVIF of sharp', ['0000001c', 'ftypavif', '00000000', 'avifmif1miaf']),
  row('avif', 'an animated AVIF', ['0000002c', 'ftypavis', '00000000', 'avifavismsf1iso8mif1miafMA1B']),
  row('jpeg', 'a JPEG of a camera', ['ffd8ffe1', '1a2c', 'Exif', '0000', 'II', '2a0008000000']),
  row('png', 'a PNG', ['89', 'PNG', '0d0a1a0a', '0000000d', 'IHDR', '0000000100000001']),
  row('webp', 'a WebP', ['RIFF', '24000000', 'WEBPVP8 ', '18000000']),
  row('gif', 'a GIF', ['GIF89a', '0100010080', '0000']),
  row('tiff', 'a TIFF of a scanner', ['II', '2a0008000000', '1000fe0004000100']),
  row('tiff', 'a DNG, which begins like any TIFF', ['II', '2a0008000000', '3400fe0004000100']),
  row('tiff', 'a TIFF of a Mac', ['MM', '002a00000008', '000f010000030001']),
  row('tiff', 'a BigTIFF', ['II', '2b00080000001000', '000000000000']),
  row('bmp', 'a BMP', ['BM', '3a01000000000000360000002800000001000000']),
  row('jxl', 'a codestream of JPEG XL', ['ff0a', 'fa1f4191081a0168']),
  row('jxl', 'a file of JPEG XL', ['0000000c', 'JXL ', '0d0a870a', '00000014', 'ftypjxl ']),
  row('svg', 'an SVG', ['<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>']),
  row('svg', 'an SVG of Inkscape', [
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<!-- Created with Inkscape (http://www.inkscape.org/) -->\n\n<svg\n   width="210mm"',
  ]),
  row('svg', 'an SVG of Illustrator', [
    'efbbbf',
    '<?xml version="1.0" encoding="utf-8"?>\r\n<!-- Generator: Adobe Illustrator 16.0.0, SVG Export Plug-In -->\r\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>\n<svg',
  ]),
  row('pdf', 'a PDF', ['%PDF-1.7\n%', 'e2e3cfd30a', '1 0 obj']),
  row('raw', 'a CR2', ['II', '2a0010000000', 'CR', '0200', '16090000']),
  row('raw', 'a CR3', ['00000018', 'ftypcrx ', '00000001', 'crx isom']),
  row('raw', 'a RAF', ['FUJIFILMCCD-RAW 0201FF129502X-T3']),
  row('raw', 'an ORF', ['IIRO', '08000000', '1600fe0004000100']),
  row('raw', 'an ORF of an early camera', ['IIRS', '08000000', '0c00000104000100']),
  row('raw', 'an ORF in the order of a Mac', ['MMOR', '00000008', '0018000001040001']),
  row('raw', 'a RW2', ['II', '550018000000', '88e774d8f825']),
  row('other', 'a text', ['no picture at all']),
  row('other', 'a video of a phone', ['00000018', 'ftypmp42', '00000000', 'mp42mp41']),
];

function row(kind: FileKind, what: string, parts: readonly string[]): FirstBytes {
  const bytes = parts.map((part) => Buffer.from(part, /^(?:[0-9a-f]{2})+$/.test(part) ? 'hex' : 'latin1'));
  return { what, kind, bytes: Buffer.concat(bytes) };
}
