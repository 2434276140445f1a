/**
 * As in `123,4;567,8`: bits without the band, and id. Null if there are none. One text for each band: a row for each candidate would cost
 * ten times as much.
 */
export type CandidateText = string | null;

interface Candidate {
  readonly id: number;
  /** 48 bits. */
  readonly bits: number;
}

export function candidatesIn(text: CandidateText): readonly Candidate[] {
  if (text === null) return [];
  return text.split(';').map((candidate) => {
    const comma = candidate.indexOf(',');
    return { bits: Number(candidate.slice(0, comma)), id: Number(candidate.slice(comma + 1)) };
  });
}
