import type { Writable } from 'node:stream';

/*
 * Reads `_complete` of a parser of busboy (1.6, which multer 2.5 uses): busboy has no public way to tell that the form has ended. In the
 * chunk that ends the form, it begins parts also after the end, and never ends their files. Unnecessary when it ignores what follows the
 * form (RFC 2046, section 5.1.1).
 */

/** Lets a form fail that has files after its end. */
export function refuseEpilogue(parser: Writable & { readonly _complete?: boolean }): void {
  parser.prependListener('file', () => {
    if (parser._complete === true) parser.emit('error', new Error('A file is behind the end of the form'));
  });
}
