// node --import tsx test/support/deploy/write-oci-seccomp-main.ts: writes deploy/seccomp-oci.json from deploy/seccomp.json
import { readFileSync, writeFileSync } from 'node:fs';
import { type ConditionalProfile, ociProfile } from './oci-seccomp.ts';

const profile = JSON.parse(readFileSync('deploy/seccomp.json', 'utf8')) as ConditionalProfile;
writeFileSync('deploy/seccomp-oci.json', `${JSON.stringify(ociProfile(profile), null, 2)}\n`);
