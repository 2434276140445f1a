import { saveHits } from './hits.ts';

/** For `mocha --require`: the processes of a parallel run save what they have received. */
export const mochaHooks = { afterAll: saveHits };
