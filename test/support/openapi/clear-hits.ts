import { clearHits } from './hits.ts';

/** For `mocha --require` of `npm test`, the first part of `npm run test:all`, which counts what both parts receive. */
export function mochaGlobalSetup(): void {
  clearHits();
}
