import type { Logger } from 'pino';

declare module 'koa' {
  interface DefaultState {
    /** Carries the request id. */
    log: Logger;
    /** The code of the error that was answered, for the request's log line. */
    errorCode?: string;
  }
}
