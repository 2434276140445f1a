/**
 * `npm run test:storm:full` has as many rounds as rare effects need. The rounds of `npm run test:storm` are few: they show that
 * the storms still run, and that nothing has become grossly wrong.
 */
export const FULL_STORMS = process.env.STORMS === 'full';
