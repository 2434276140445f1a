import { isColourProfile, isUsableProfile } from './colour-profile.ts';
import type { FileStructure } from './file-structure.ts';

/** ICC.1:2022, B.4: behind the signature the number of this part, from 1, and the number of parts. */
const NUMBER = 12;
const START = 14;

interface JoinedProfile extends Required<Pick<FileStructure, 'profileAt' | 'ignoredAt'>> {
  /** `undefined` if it is damaged, or no profile. */
  readonly profile: Uint8Array | undefined;
}

/** The colour profile of a JPEG, which is in several segments. */
export class ProfileParts {
  private readonly parts = new Map<number, { readonly part: Uint8Array; readonly at: number }>();
  private readonly segmentsAt: number[] = [];

  /** @param at of the segment in the file, in bytes */
  add(segment: Uint8Array, at: number): void {
    this.segmentsAt.push(at);
    this.parts.set(segment[NUMBER] ?? 0, { part: segment.subarray(START), at });
  }

  /** The parts from 1 up to the first that is missing, as libvips joins them. Of parts with the same number, the last counts. */
  join(): JoinedProfile {
    const joined: Uint8Array[] = [];
    const profileAt: number[] = [];
    for (let found = this.parts.get(1); found !== undefined; found = this.parts.get(joined.length + 1)) {
      joined.push(found.part);
      profileAt.push(found.at);
    }
    const profile = Buffer.concat(joined);
    if (!isUsableProfile(profile)) return { profile: undefined, profileAt: [], ignoredAt: this.segmentsAt };
    return { profile, profileAt: isColourProfile(profile) ? profileAt : [], ignoredAt: [] };
  }
}
