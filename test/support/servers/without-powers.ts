/** A program that executes another one as a user who may not write where the mode of a folder forbids it. Root may write everywhere. */
export const WITHOUT_POWERS: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override', '--inh-caps=-dac_override'] : [];
