/** CommonJS packages load Node's own modules by `require`, which ES modules do not have. */
export const REQUIRE_BANNER =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
