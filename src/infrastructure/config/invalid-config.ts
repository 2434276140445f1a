const WITHOUT_PROVIDER =
  'image-catalog init writes a .env with your identity provider; image-catalog demo runs everything on this machine without one.';

/** `problems` has one line for each variable. */
export class InvalidConfig extends Error {
  constructor(readonly problems: readonly string[]) {
    const lines = problems.map((problem) => `  ${problem}`);
    const advice = problems.some((problem) => /^IDP_\w+ is required/.test(problem)) ? [WITHOUT_PROVIDER] : [];
    super(['The configuration is not valid:', ...lines, ...advice].join('\n'));
  }
}
