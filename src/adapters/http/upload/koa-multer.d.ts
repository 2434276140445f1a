/** @koa/multer 4 has no types; those on DefinitelyTyped describe multer 1. */
declare module '@koa/multer' {
  import type { Readable, Writable } from 'node:stream';
  import type { Options } from 'multer';

  /** Without a `request`, only `req` and `res` are used. */
  interface ParserContext {
    readonly req: Readable;
    readonly res: object;
  }

  type FormParser = (context: ParserContext, next: () => Promise<void>) => Promise<void>;

  interface KoaMulterOptions extends Options {
    /** multer 2.5: how the request gets into the parser. */
    readonly streamHandler?: (request: Readable, parser: Writable) => void;
  }

  export default function multer(options: KoaMulterOptions): { any(): FormParser };
}
