import { isColourProfile } from './is-colour-profile.ts';

/** ICC.1:2022, B.4: behind the signature the number of this part, from 1, and the number of parts. */
const NUMBER = 12;
const START = 14;

/** The colour profile of a JPEG, which is in several segments. */
export class ProfileParts {
  private readonly parts = new Map<number, Uint8Array>();
  private segments = 0;

  add(segment: Uint8Array): void {
    this.segments += 1;
    this.parts.set(segment[NUMBER] ?? 0, segment.subarray(START));
  }

  /** The parts from 1 up to the first that is missing, as libvips joins them. Of parts with the same number, the last counts. */
  join(): { readonly profile: Uint8Array; readonly hasProfile: boolean } {
    const joined: Uint8Array[] = [];
    for (let part = this.parts.get(1); part !== undefined; part = this.parts.get(joined.length + 1)) {
      joined.push(part);
    }
    const profile = Buffer.concat(joined);
    return { profile, hasProfile: joined.length === this.segments && isColourProfile(profile) };
  }
}
